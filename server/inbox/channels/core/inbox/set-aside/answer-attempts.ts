/**
 * Counts how often an answer was begun, before the work: a message that ends the process is given up as well, and those after it are
 * answered.
 */
import { and, eq, gte, sql } from "drizzle-orm";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Log } from "#server/platform/log.ts";
import { noteEvent } from "../../../connection/event-log.ts";
import { waitingEventsSql } from "../../conversations/waiting-events.ts";

/** Number of tries after which a message is given up. */
const ATTEMPTS = 4;

interface Deps {
  db: Database;
  log: Log;
}

type AnswerJob = JobData["process-inbox"];

/** False where everything that waits was given up because the process ended at each try. */
export async function countAttempt({ db }: Deps, job: AnswerJob): Promise<boolean> {
  return asTenant(db, job, async (tx) => {
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
  });
}

/** After a failure: sets aside what has failed often enough. */
export async function giveUp({ db, log }: Deps, job: AnswerJob, error: unknown): Promise<void> {
  const said = error instanceof Error ? error.message : "Ошибка";
  await asTenant(db, job, async (tx) => {
    const failed = await tx
      .update(inboxEvents)
      .set({ status: "failed", error: said.slice(0, 300) })
      .where(and(waitingEventsSql(job), gte(inboxEvents.attempts, ATTEMPTS)))
      .returning({ id: inboxEvents.id });
    if (failed.length > 0) await notifyOwner(tx, job);
  }).catch((failure: unknown) => log.error({ err: failure }, "a failed answer was not counted"));
}

/** Uncounts a try that was interrupted because the server is stopping. */
export const uncountInterruptedAttempt = ({ db }: Deps, job: AnswerJob): Promise<void> =>
  asTenant(db, job, (tx) => uncountAttempt(tx, job)).catch(() => {});

/** Uncounts a try that only looked at the messages because more are expected. */
export async function uncountAttempt(tx: Tx, job: AnswerJob): Promise<void> {
  await tx
    .update(inboxEvents)
    .set({ attempts: sql`greatest(${inboxEvents.attempts} - 1, 0)` })
    .where(and(waitingEventsSql(job), eq(inboxEvents.status, "pending")));
}

const notifyOwner = (tx: Tx, { organizationId, integrationId }: AnswerJob): Promise<void> =>
  noteEvent(tx, organizationId, integrationId, "На сообщение ответить не удалось: оно отложено, остальные принимаются");
