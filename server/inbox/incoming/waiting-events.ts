/**
 * Loads the events of a conversation that wait for an answer. Each try is counted before the work, so a message that crashes the process is
 * given up too, and later messages are answered.
 */
import { and, eq, gte, type SQL, sql } from "drizzle-orm";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";

const ATTEMPTS = 4;

type AnswerJob = JobData["process-inbox"];

export const waitingEventsSql = ({
  integrationId,
  conversationKey,
}: Pick<AnswerJob, "integrationId" | "conversationKey">): SQL =>
  and(
    eq(inboxEvents.integrationId, integrationId),
    eq(inboxEvents.conversationKey, conversationKey),
    eq(inboxEvents.status, "pending"),
  )!;

/** Returns false when all waiting events were given up, because the process ended at each try. */
export async function countAttempt(tx: Tx, job: AnswerJob): Promise<boolean> {
  const rows = await tx
    .update(inboxEvents)
    .set({
      attempts: sql`${inboxEvents.attempts} + 1`,
      status: sql`case when ${inboxEvents.attempts} >= ${ATTEMPTS} then 'failed' else 'pending' end`,
      error: sql`case when ${inboxEvents.attempts} >= ${ATTEMPTS} then 'Обработка обрывалась' end`,
    })
    .where(waitingEventsSql(job))
    .returning({ status: inboxEvents.status });
  const given = rows.filter(({ status }) => status === "failed").length;
  if (given > 0) await notifyOwner(tx, job);
  return given === 0 || given < rows.length;
}

export async function giveUp(tx: Tx, job: AnswerJob, error: unknown): Promise<void> {
  const said = error instanceof Error ? error.message : "Ошибка";
  const failed = await tx
    .update(inboxEvents)
    .set({ status: "failed", error: said.slice(0, 300) })
    .where(and(waitingEventsSql(job), gte(inboxEvents.attempts, ATTEMPTS)))
    .returning({ id: inboxEvents.id });
  if (failed.length > 0) await notifyOwner(tx, job);
}

/** Does not count a try that found an incomplete burst, or that the server's shutdown interrupted. */
export async function uncountAttempt(tx: Tx, job: AnswerJob): Promise<void> {
  await tx
    .update(inboxEvents)
    .set({ attempts: sql`greatest(${inboxEvents.attempts} - 1, 0)` })
    .where(and(waitingEventsSql(job), eq(inboxEvents.status, "pending")));
}

const notifyOwner = (tx: Tx, { organizationId, integrationId }: AnswerJob): Promise<void> =>
  noteEvent(tx, organizationId, integrationId, "На сообщение ответить не удалось: оно отложено, остальные принимаются");
