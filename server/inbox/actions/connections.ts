/** Connections of a twin's tools to other systems, managed by the members who may change the twin. */
import { and, asc, eq } from "drizzle-orm";
import type { OfferedAction, ToolConnection } from "#contract/actions/tool-connections.ts";
import type { ProxyChange } from "#contract/integrations/proxy-text.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import type { ConnectionRow } from "#server/answers/tools/connection-secrets.ts";
import { connectionOf } from "#server/answers/tools/connections.ts";
import { sealProxy, shownProxy } from "#server/answers/tools/stored-proxy.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { type StoredOffer, toolConnections, tools } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** Lists the connections of the twins that the caller may change. */
export function listConnections(
  deps: ToolDeps,
  caller: Caller,
  { twinId }: { twinId?: string | undefined },
): Promise<ToolConnection[]> {
  return asTenant(deps.db, caller, async (tx) => {
    const rows = await tx
      .select({ connection: toolConnections })
      .from(toolConnections)
      .innerJoin(twins, eq(twins.id, toolConnections.twinId))
      .where(
        and(
          eq(toolConnections.orgId, caller.organizationId),
          caller.role === "org_admin" ? undefined : eq(twins.ownerId, caller.userId),
          twinId === undefined ? undefined : eq(toolConnections.twinId, twinId),
        ),
      )
      .orderBy(asc(toolConnections.createdAt), asc(toolConnections.id));
    const shown: ToolConnection[] = [];
    for (const { connection } of rows) shown.push(await toConnection(deps, tx, connection));
    return shown;
  });
}

export const connectionNotFound = () => notFound("Подключение не найдено", "tool_connection_not_found");

/** @throws Problem 404, 403 */
export async function getChangeableConnection(tx: Tx, caller: Caller, id: string): Promise<ConnectionRow> {
  const row = await connectionOf(tx, id);
  if (row === null) throw connectionNotFound();
  await getChangeableTwin(tx, caller, row.twinId);
  return row;
}

/** @throws Problem 404 for another kind of connection as well, 403 */
export async function getMcpConnection(tx: Tx, caller: Caller, id: string): Promise<ConnectionRow> {
  const row = await getChangeableConnection(tx, caller, id);
  if (row.kind !== "mcp") throw connectionNotFound();
  return row;
}

/**
 * Nothing is asked of the system: reading its list, or «Проверить» of an action, says how it goes.
 * @throws Problem 404, 403; 422 for a proxy that cannot be used, or that the caller may not name
 */
export async function setProxy(
  deps: ToolDeps,
  caller: Caller,
  id: string,
  { proxy: entered }: ProxyChange,
): Promise<ToolConnection> {
  await asTenant(deps.db, caller, (tx) => getChangeableConnection(tx, caller, id));
  const proxy = await enteredProxy(caller, entered);
  return asTenant(deps.db, caller, async (tx) => {
    const row = await getChangeableConnection(tx, caller, id);
    const [kept] = await tx
      .update(toolConnections)
      .set({ proxy: sealProxy(deps.vault, "tool_connections", row, proxy) })
      .where(eq(toolConnections.id, id))
      .returning();
    await recordConnection(tx, caller, "tool-proxy-changed", kept!);
    return toConnection(deps, tx, kept!);
  });
}

/** Deletes the connection with its keys and its tools; what they did stays in the journal. @throws Problem 404, 403 */
export function removeConnection(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    const row = await getChangeableConnection(tx, caller, id);
    await tx.delete(toolConnections).where(eq(toolConnections.id, id));
    await recordConnection(tx, caller, "tool-disconnected", row);
  });
}

export const recordConnection = (
  tx: Tx,
  { userId, organizationId }: Caller,
  action: "tool-connected" | "tool-proxy-changed" | "tool-disconnected",
  { id, twinId, url }: ConnectionRow,
): Promise<void> =>
  auditInTenant(tx, { action, userId, organizationId, subject: id, detail: { twinId, host: new URL(url).host } });

const toOffer = ({ mark: _, sent, ...offer }: StoredOffer): OfferedAction => ({
  ...offer,
  yesOrNo: Object.keys(sent).filter((name) => sent[name] === "boolean"),
});

export async function toConnection({ vault }: ToolDeps, tx: Tx, row: ConnectionRow): Promise<ToolConnection> {
  const { id, twinId, title, url, auth, listing, checkedAt, failure, createdAt } = row;
  const called = await tx
    .select({ id: tools.id, title: tools.title, enabled: tools.enabled })
    .from(tools)
    .where(eq(tools.connectionId, id))
    .orderBy(asc(tools.createdAt), asc(tools.id));
  const common = {
    ...{
      id,
      twinId,
      title,
      url,
      proxy: shownProxy(vault, "tool_connections", row),
      failure,
      tools: called,
      createdAt: createdAt.toISOString(),
    },
    state: failure !== null ? ("broken" as const) : listing === null ? ("sign-in" as const) : ("ready" as const),
    checkedAt: checkedAt?.toISOString() ?? null,
  };
  const offers = listing?.offers ?? [];
  if (row.kind === "caldav")
    return { kind: "caldav", ...common, calendars: offers.map(({ name, title: of }) => ({ url: name, title: of })) };
  return { kind: "mcp", ...common, auth: auth.kind, server: listing?.server ?? null, offers: offers.map(toOffer) };
}
