/** Carries out the owner's decisions on set-aside events: retry or discard. */
import { and, desc, eq } from "drizzle-orm";
import type { SetAside } from "#contract/conversations/set-aside.ts";
import { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { getOwnIntegration } from "#server/inbox/channels/integration-rows.ts";
import { openChannel, type ProviderAddresses, platformOf } from "#server/inbox/channels/registry.ts";
import { storeDeliveries } from "#server/inbox/incoming/inbox.ts";
import type { ReceivingIntegration } from "#server/inbox/incoming/receiving-integration.ts";
import { settleSetAside } from "#server/inbox/incoming/set-aside-events.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations, setAsideEvents } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { receiveAll } from "./receive.ts";

const SHOWN = 100;

const failedAnswer = (integrationId: string) =>
  and(eq(inboxEvents.integrationId, integrationId), eq(inboxEvents.status, "failed"));
/** Tells the two tables apart by the form of the id: answers have numbers, events have UUIDs. */
const isAnswer = (itemId: string): boolean => /^\d{1,15}$/.test(itemId);

/** Lists set-aside events, newest first. Only the twin's owner may see them, because they name his contacts. @throws Problem 404, 403 */
export function listSetAside(db: Database, caller: Caller, id: string): Promise<SetAside[]> {
  return asTenant(db, caller, async (tx) => {
    const { fetchesAgain = false } = platformOf((await getOwnIntegration(tx, caller, id)).platform);
    const unread = await tx
      .select()
      .from(setAsideEvents)
      .where(eq(setAsideEvents.integrationId, id))
      .orderBy(desc(setAsideEvents.createdAt))
      .limit(SHOWN);
    const unanswered = await tx
      .select({ id: inboxEvents.id, inbound: inboxEvents.inbound, receivedAt: inboxEvents.receivedAt })
      .from(inboxEvents)
      .where(failedAnswer(id))
      .orderBy(desc(inboxEvents.id))
      .limit(SHOWN);
    const items = [
      ...unread.map(({ id, title, reason, raw, state, createdAt }) => ({
        id,
        title,
        reason: `${reason}.`,
        waits: state === "again",
        canRetry: fetchesAgain || raw !== null,
        createdAt: createdAt.toISOString(),
      })),
      ...unanswered.map(({ id, inbound, receivedAt }) => ({
        id: String(id),
        title: `Сообщение от ${Inbound.safeParse(inbound).data?.peer.name ?? "собеседника"}`,
        reason: "На него не удалось ответить.",
        waits: false,
        canRetry: true,
        createdAt: receivedAt.toISOString(),
      })),
    ];
    return items.sort((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, SHOWN);
  });
}

interface RetryDeps {
  db: Database;
  jobs: Jobs;
  vault: Vault;
  config: ProviderAddresses & { loopbackAddresses: boolean };
}

/**
 * Retries a set-aside item. An answer is retried by its job, an event that the platform still has by the receiving process, others at once.
 * @throws Problem 404, 403; 422 if it still cannot be read
 */
export async function retrySetAside(deps: RetryDeps, caller: Caller, id: string, itemId: string): Promise<void> {
  const { db, jobs } = deps;
  if (isAnswer(itemId)) {
    return asTenant(db, caller, async (tx) => {
      await getOwnIntegration(tx, caller, id);
      const [row] = await tx
        .update(inboxEvents)
        .set({ status: "pending", attempts: 0, error: null })
        .where(and(failedAnswer(id), eq(inboxEvents.id, Number(itemId))))
        .returning({ conversationKey: inboxEvents.conversationKey });
      if (row === undefined) throw itemNotFound();
      await jobs.enqueue(tx, "process-inbox", { ...tenantOf(caller), integrationId: id, ...row });
    });
  }
  const row = await asTenant(db, caller, async (tx) => {
    const { platform } = await getOwnIntegration(tx, caller, id);
    const found = await findItem(tx, id, itemId);
    if (!platformOf(platform).fetchesAgain) return found;
    await tx.update(setAsideEvents).set({ state: "again" }).where(eq(setAsideEvents.id, itemId));
    // The changed row makes the supervisor restart receiving, which asks for the events to retry.
    await tx.update(integrations).set({ updatedAt: new Date() }).where(eq(integrations.id, id));
    return null;
  });
  if (row === null) return;
  const integration = { ...tenantOf(caller), id };
  try {
    await takeRaw(deps, caller, integration, row.raw);
  } catch (cause) {
    const message = "Прочитать не удалось и на этот раз: посмотрите его в самом приложении";
    throw unprocessable("not_readable", message, { cause });
  }
  await settleSetAside(db, integration, row.name);
}

async function takeRaw(
  deps: RetryDeps,
  caller: Caller,
  integration: ReceivingIntegration,
  raw: unknown,
): Promise<void> {
  const { db, vault, config } = deps;
  const [row] = await asTenant(db, caller, (tx) =>
    tx.select().from(integrations).where(eq(integrations.id, integration.id)),
  );
  const channel = row === undefined ? null : openChannel(openCredentials(vault, row), config, row);
  const read = channel?.reread ?? channel?.webhook?.read;
  if (raw === null || read === undefined) throw new Error("nothing to read again");
  const receiver = { integration, ownerChat: channel?.ownerChat };
  const reported = await read(raw);
  // Settled as read, the message would be gone.
  if (reported.length === 0) throw new Error("nothing is read from it");
  if (reported.some((each) => "unread" in each)) throw new Error("its sender is still unknown");
  await receiveAll({ ...deps, storeDelivery: storeDeliveries(deps) }, receiver, reported);
}

/** Discards the item permanently. @throws Problem 404, 403 */
export function discardSetAside(db: Database, caller: Caller, id: string, itemId: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await getOwnIntegration(tx, caller, id);
    const gone = isAnswer(itemId)
      ? await tx
          .update(inboxEvents)
          .set({ status: "ignored" })
          .where(and(failedAnswer(id), eq(inboxEvents.id, Number(itemId))))
          .returning({ id: inboxEvents.id })
      : await tx
          .delete(setAsideEvents)
          .where(and(eq(setAsideEvents.integrationId, id), eq(setAsideEvents.id, (await findItem(tx, id, itemId)).id)))
          .returning({ id: setAsideEvents.id });
    if (gone.length === 0) throw itemNotFound();
  });
}

async function findItem(tx: Tx, integrationId: string, itemId: string): Promise<typeof setAsideEvents.$inferSelect> {
  const [row] = await tx
    .select()
    .from(setAsideEvents)
    .where(and(eq(setAsideEvents.integrationId, integrationId), eq(setAsideEvents.id, itemId)));
  if (row === undefined) throw itemNotFound();
  return row;
}

const itemNotFound = () => notFound("Этого уже нет среди отложенного", "set_aside_not_found");
const tenantOf = ({ organizationId, userId }: Caller) => ({ organizationId, userId });
