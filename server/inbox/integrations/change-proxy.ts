/** Changes or removes the proxy of a connected account. */
import { eq, sql } from "drizzle-orm";
import { type Integration, IntegrationPlatform } from "#contract/integrations/integrations.ts";
import type { ProxyChange } from "#contract/integrations/proxy-text.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { openCredentials, sealCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { getChangeableIntegration, getIntegrationRow } from "#server/inbox/channels/integration-rows.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import { type IntegrationDeps, RECONNECTING, toIntegration } from "./integrations.ts";
import { openProxy } from "./proxy-settings.ts";

/**
 * The process that holds the connection reconnects because the row has changed. The platform is not checked first: «Проверить соединение»
 * shows proxy problems, and a broken connection is retried automatically.
 * @throws Problem 404, 403; 422 for a proxy that this account cannot use or the caller may not name
 */
export async function changeProxy(
  deps: IntegrationDeps,
  caller: Caller,
  id: string,
  { proxy: entered }: ProxyChange,
): Promise<Integration> {
  const { db, vault } = deps;
  const ofAccount = await asTenant(db, caller, async (tx) => {
    await getChangeableIntegration(tx, caller, id);
    const [row] = await tx.select().from(integrations).where(eq(integrations.id, id));
    if (!IntegrationPlatform.safeParse(row!.platform).success)
      throw unprocessable("not_by_key", "Эта платформа подключена без прокси");
    const credentials = openCredentials(vault, row!);
    return credentials.platform === "telegram" && credentials.botToken === null;
  });
  const proxy = await enteredProxy(caller, entered, ofAccount);
  return asTenant(db, caller, async (tx) => {
    const shown = await getChangeableIntegration(tx, caller, id);
    const [row] = await tx.select().from(integrations).where(eq(integrations.id, id)).for("update");
    const { proxy: _former, ...credentials } = openCredentials(vault, row!);
    const { proxy: _label, ...settings } = shown.settings as Integration["settings"];
    const next = proxy === null ? credentials : { ...credentials, proxy };
    await tx
      .update(integrations)
      .set({
        credentials: sealCredentials(vault, row!, next),
        settings: { ...settings, ...openProxy(proxy) },
        trouble: row!.status === "active" ? RECONNECTING : null,
        sendFailures: 0,
        sendPausedUntil: null,
        updatedAt: sql`now()`,
      })
      .where(eq(integrations.id, id));
    await noteEvent(tx, row!.orgId, id, proxy === null ? "Прокси убран: соединения идут напрямую" : "Прокси изменён");
    const { userId, organizationId } = caller;
    const detail = { twinId: row!.twinId, changed: ["прокси"] };
    await auditInTenant(tx, { action: "integration-changed", userId, organizationId, subject: id, detail });
    return toIntegration(deps, caller, await getIntegrationRow(tx, caller, id));
  });
}
