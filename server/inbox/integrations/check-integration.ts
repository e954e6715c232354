/** «Проверить соединение»: checks the way to the platform hop by hop, then asks the platform which account the credentials belong to. */
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { CheckStep, IntegrationCheck } from "#contract/integrations/connection-check.ts";
import type { NewCredentials } from "#contract/integrations/integrations.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import { type Channel, type ChannelAccount, ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { unavailableMessage } from "#server/inbox/channel-protocol/through-proxy.ts";
import { credentialsOf, openCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { getChangeableIntegration, refusedIntegration } from "#server/inbox/channels/integration-rows.ts";
import { type Credentials, openChannel, platformOf, proxyOf } from "#server/inbox/channels/registry.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { tooMany } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import { traced } from "#server/platform/process/tracing.ts";
import { checkConnectionSteps, skippedStep } from "./connection-steps.ts";
import type { IntegrationDeps } from "./integrations.ts";
import { isAccount } from "./proxy-settings.ts";

const EVERY_SECONDS = 5;
/** The hops before take at most half a minute, so the check ends within a minute. */
const ANSWER_MS = 12_000;

/**
 * Writes the result into the event log. Refused credentials stop the integration; a success clears its trouble.
 * @throws Problem 404, 403; 429 when it was checked a moment ago
 */
export async function checkIntegration(
  { db, vault, config }: IntegrationDeps,
  caller: Caller,
  id: string,
): Promise<IntegrationCheck> {
  const row = await asTenant(db, caller, (tx) => takeTurn(tx, caller, id));
  const credentials = openCredentials(vault, row);
  const channel = openChannel(credentials, config, row);
  const heldElsewhere = channel?.sendsHere?.() === false && row.leaseUntil !== null && row.leaseUntil > new Date();
  const { found, steps } = heldElsewhere
    ? { found: asLastFound(row), steps: [] }
    : await look(credentials, config, channel);
  if (channel === null) return { ok: false, account: null, message: notOpened(credentials), steps };
  return asTenant(db, caller, async (tx) => {
    if (found !== null && !(found instanceof ChannelTrouble)) {
      await tx
        .update(integrations)
        .set({ account: found.name, accountId: found.id, trouble: null })
        .where(eq(integrations.id, id));
      await noteEvent(tx, caller.organizationId, id, `Проверка: соединение есть, ${found.name}`);
      return { ok: true, account: found.name, message: `Соединение есть: ${found.name}`, steps };
    }
    const { kind, message } = found ?? new ChannelTrouble("away", notOpened(credentials));
    if (kind === "auth") {
      await tx
        .update(integrations)
        .set({ status: "error", statusReason: message, trouble: null })
        .where(refusedIntegration(id, row.credentials));
    }
    await noteEvent(tx, caller.organizationId, id, `Проверка: ${message}`);
    return { ok: false, account: null, message, steps };
  });
}

/** Checks credentials before they are connected; stores nothing. @throws Problem 422 for a proxy that the caller may not name */
export async function tryConnection(
  deps: IntegrationDeps,
  caller: Caller,
  input: NewCredentials,
): Promise<IntegrationCheck> {
  const proxy = await enteredProxy(caller, input.settings?.proxy, isAccount(input));
  const credentials = { ...credentialsOf(input), ...(proxy && { proxy }) };
  const { found, steps } = await look(credentials, deps.config, openChannel(credentials, deps.config, null));
  if (found instanceof ChannelTrouble) return { ok: false, account: null, message: found.message, steps };
  const name = found?.name ?? null;
  const message = name === null ? `${PLATFORM_NAMES[input.platform]} отвечает` : `Соединение есть: ${name}`;
  return { ok: true, account: name, message, steps };
}

const notOpened = ({ platform }: Credentials): string =>
  platformOf(platform).notOpened ?? "Эту платформу подключить пока нельзя";

/** `found` is null when the platform has responded, but the account is not signed in yet. */
type Look = { found: ChannelAccount | { name: string; id: string | null } | ChannelTrouble | null; steps: CheckStep[] };

async function look(
  credentials: Credentials,
  config: IntegrationDeps["config"],
  channel: Channel | null,
): Promise<Look> {
  const { servers, probe } = platformOf(credentials.platform);
  const proxy = proxyOf(credentials);
  const troubled = (error: unknown): ChannelTrouble => {
    if (error instanceof ChannelTrouble) return error;
    throw error;
  };
  const places = await Promise.resolve(servers?.(credentials, config) ?? []).catch(troubled);
  if (places instanceof ChannelTrouble) return { found: places, steps: [platformStep(places, credentials, 0)] };
  const ways = await Promise.all(places.map((place) => checkConnectionSteps(place, proxy)));
  const steps = ways.flat();
  const lost = steps.find(({ state }) => state === "failed");
  // Where no way leads, asking the platform would only say the same again, with other advice.
  const isCutOff = proxy !== null || ways.every((way) => way.some(({ state }) => state === "failed"));
  if (lost !== undefined && isCutOff) {
    return { found: new ChannelTrouble("away", lost.text), steps: [...steps, skippedStep("platform")] };
  }
  const began = performance.now();
  // An account with a single connection in this process is asked through it, because a second session must not be opened.
  const live = channel !== null && channel.sendsHere?.() !== false;
  const ask = live ? () => channel.verify(AbortSignal.timeout(ANSWER_MS)) : () => probe?.(credentials, config, proxy);
  const found =
    (await traced(`verify ${credentials.platform}`, { kind: "client" }, async () => ask()).catch((error: unknown) => {
      const trouble = troubled(error);
      // The channel has reported the proxy's failure already.
      if (live || proxy === null || trouble.kind !== "away") return trouble;
      return new ChannelTrouble("away", unavailableMessage(proxy, trouble.message));
    })) ?? null;
  const isOpen = channel === null || live || found !== null;
  const result = isOpen ? found : new ChannelTrouble("away", "Аккаунт сейчас не подключён");
  return { found: result, steps: [...steps, platformStep(found, credentials, performance.now() - began)] };
}

function platformStep(found: Look["found"], { platform }: Credentials, ms: number): CheckStep {
  const milliseconds = Math.round(ms);
  const name = PLATFORM_NAMES[platform];
  if (!(found instanceof ChannelTrouble)) {
    const text = found === null ? `${name} отвечает` : `${name} отвечает: ${found.name}`;
    return { hop: "platform", state: "ok", text, advice: null, milliseconds };
  }
  const advice =
    found.kind === "auth"
      ? "Исправьте ключ: сама платформа доступна."
      : "Подождите минуту и проверьте снова; если не помогло, попробуйте другой прокси.";
  return { hop: "platform", state: "failed", text: found.message.replace(/\.$/, ""), advice, milliseconds };
}

/** Only the process with the account's single connection can ask, so its last stored result is shown. */
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
