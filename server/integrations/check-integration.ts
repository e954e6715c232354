/** «Проверить соединение»: asks the platform which account the credentials belong to. */
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { IntegrationCheck } from "#contract/integrations/integrations.ts";
import { noteEvent } from "#server/channels/connection/event-log.ts";
import { getChangeableIntegration, refusedIntegration } from "#server/channels/connection/integration-rows.ts";
import { openCredentials } from "#server/channels/credentials.ts";
import { ChannelTrouble } from "#server/channels/protocol/channel.ts";
import { openChannel, platformOf } from "#server/channels/registry.ts";
import { asTenant, type Tx } from "#server/db/database.ts";
import { integrations } from "#server/db/schema.ts";
import { tooMany } from "#server/errors.ts";
import type { Caller } from "#server/http/route.ts";
import { traced } from "#server/process/tracing.ts";
import type { IntegrationDeps } from "./integrations.ts";

const EVERY_SECONDS = 5;
const ANSWER_MS = 8_000;

/**
 * Writes the result into the event log; refused credentials stop the integration, an answer ends its trouble.
 * @throws Problem 404, 403; 429 when it was checked a moment ago
 */
export async function checkIntegration(
  { db, vault, config }: IntegrationDeps,
  caller: Caller,
  id: string,
): Promise<IntegrationCheck> {
  const row = await asTenant(db, caller, (tx) => takeTurn(tx, caller, id));
  const channel = openChannel(openCredentials(vault, row), config, row);
  if (channel === null) {
    const message = platformOf(row.platform).notOpened ?? "Эту платформу подключить пока нельзя";
    return { ok: false, account: null, message };
  }
  const heldElsewhere = channel.sendsHere?.() === false && row.leaseUntil !== null && row.leaseUntil > new Date();
  const verify = () => channel.verify(AbortSignal.timeout(ANSWER_MS));
  const found = heldElsewhere
    ? asLastFound(row)
    : await traced(`verify ${row.platform}`, { kind: "client" }, verify).catch((error: unknown) => {
        if (error instanceof ChannelTrouble) return error;
        throw error;
      });
  return asTenant(db, caller, async (tx) => {
    if (!(found instanceof ChannelTrouble)) {
      await tx
        .update(integrations)
        .set({ account: found.name, accountId: found.id, trouble: null })
        .where(eq(integrations.id, id));
      await noteEvent(tx, caller.organizationId, id, `Проверка: соединение есть, ${found.name}`);
      return { ok: true, account: found.name, message: `Соединение есть: ${found.name}` };
    }
    if (found.kind === "auth") {
      await tx
        .update(integrations)
        .set({ status: "error", statusReason: found.message, trouble: null })
        .where(refusedIntegration(id, row.credentials));
    }
    await noteEvent(tx, caller.organizationId, id, `Проверка: ${found.message}`);
    return { ok: false, account: null, message: found.message };
  });
}

/** Only the process with the account's one connection can ask, and what it finds it writes down. */
function asLastFound({
  account,
  accountId,
  trouble,
}: typeof integrations.$inferSelect): { name: string; id: string | null } | ChannelTrouble {
  if (trouble !== null || account === null) return new ChannelTrouble("away", trouble ?? "Аккаунт сейчас не подключён");
  return { name: account, id: accountId };
}

async function takeTurn(tx: Tx, caller: Caller, id: string): Promise<typeof integrations.$inferSelect> {
  await getChangeableIntegration(tx, caller, id);
  const before = new Date(Date.now() - EVERY_SECONDS * 1000);
  const [row] = await tx
    .update(integrations)
    .set({ checkedAt: new Date() })
    .where(and(eq(integrations.id, id), or(isNull(integrations.checkedAt), lt(integrations.checkedAt, before))))
    .returning();
  if (row === undefined) {
    const message = "Соединение проверяли только что. Повторите через несколько секунд.";
    throw tooMany("checked_just_now", message, { retryAfter: EVERY_SECONDS });
  }
  return row;
}
