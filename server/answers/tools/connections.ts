/** Connections of tools as code reads and writes them: their secrets, their listing, and what they do to their tools. */
import { eq } from "drizzle-orm";
import { readListing } from "#server/answers/mcp/listing.ts";
import { type ServerPlace, type Visit, visitServer } from "#server/answers/mcp/session.ts";
import { type OAuthSecrets, refreshSignIn } from "#server/answers/mcp/sign-in.ts";
import { ServerTrouble } from "#server/answers/mcp/trouble.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { type ConnectionListing, toolConnections, tools } from "#server/platform/db/schema/tools.ts";
import { type ConnectionRow, openConnection, sealConnection } from "./connection-secrets.ts";
import { openProxy } from "./stored-proxy.ts";
import type { CallDeps } from "./tool-kind.ts";

/** What is sealed of a connection to an MCP server. */
export type McpSecrets =
  | { header: { name: string; value: string } }
  /** `pending`: a sign-in that was begun; until it is completed the former one is used. */
  | { oauth: OAuthSecrets | null; pending: OAuthSecrets | null };

export const CHANGED = "Сервер изменил это действие: посмотрите и включите снова";
export const GONE = "Сервер больше не предлагает это действие";

/** @returns null where there is none */
export async function connectionOf(tx: Tx, id: string): Promise<ConnectionRow | null> {
  const [row] = await tx.select().from(toolConnections).where(eq(toolConnections.id, id));
  return row ?? null;
}

/**
 * Visits the server with its key or token; an expired token is refreshed once, before anything else is asked.
 * @throws ServerTrouble, of which the connection remembers that it must be signed in to again
 */
export async function visitConnection<T>(
  deps: CallDeps,
  tenant: Tenant,
  row: ConnectionRow,
  signal: AbortSignal,
  work: (visit: Visit) => Promise<T>,
): Promise<T> {
  const place = placeOf(deps, row, signal);
  const visit = (as: ConnectionRow) => visitServer({ ...place, headers: headersOf(deps, as) }, work);
  const isRefused = (error: unknown) => error instanceof ServerTrouble && error.kind === "sign-in";
  try {
    return await visit(row).catch(async (error: unknown) => {
      if (!isRefused(error) || row.auth.kind !== "oauth") throw error;
      return visit(await refreshed(deps, tenant, row, place));
    });
  } catch (error) {
    if (!isRefused(error)) throw error;
    const sentence = REFUSED[row.auth.kind];
    await asTenant(deps.db, tenant, (tx) =>
      tx.update(toolConnections).set({ failure: sentence }).where(eq(toolConnections.id, row.id)),
    );
    throw new ServerTrouble("sign-in", sentence, { cause: error });
  }
}

export const placeOf = ({ vault, config }: CallDeps, row: ConnectionRow, signal: AbortSignal) => ({
  ...{ url: row.url, loopback: config.loopbackAddresses, signal },
  proxy: openProxy(vault, "tool_connections", row),
});

/** What the owner reads where the server wants a key or a sign-in. */
const REFUSED: Record<ConnectionRow["auth"]["kind"], string> = {
  none: "Сервер просит войти: нужен ключ или вход OAuth",
  header: "Сервер не принимает ключ: введите новый",
  oauth: "Сервер больше не принимает вход: подключите его снова",
};

function headersOf({ vault }: CallDeps, row: ConnectionRow): Record<string, string> {
  const secrets = openConnection<McpSecrets>(vault, row);
  if (secrets === null) return {};
  if ("header" in secrets) return { [secrets.header.name]: secrets.header.value };
  const tokens = secrets.oauth?.tokens;
  return tokens === undefined ? {} : { authorization: `Bearer ${tokens.access_token}` };
}

/** Refreshes under way, so that a token that may be used once is used once. */
const refreshing = new Map<string, Promise<ConnectionRow>>();

function refreshed(
  deps: CallDeps,
  tenant: Tenant,
  row: ConnectionRow,
  place: Omit<ServerPlace, "headers">,
): Promise<ConnectionRow> {
  const again = refreshing.get(row.id) ?? refresh(deps, tenant, row, place).finally(() => refreshing.delete(row.id));
  refreshing.set(row.id, again);
  return again;
}

async function refresh(
  deps: CallDeps,
  tenant: Tenant,
  row: ConnectionRow,
  place: Omit<ServerPlace, "headers">,
): Promise<ConnectionRow> {
  const read = () => asTenant(deps.db, tenant, (tx) => connectionOf(tx, row.id));
  const isNew = (now: ConnectionRow | null) => now !== null && now.updatedAt.getTime() !== row.updatedAt.getTime();
  const before = await read();
  // Somebody else has refreshed it meanwhile.
  if (isNew(before)) return before!;
  const secrets = openConnection<McpSecrets>(deps.vault, row);
  try {
    if (secrets === null || "header" in secrets || secrets.oauth === null)
      throw new ServerTrouble("sign-in", REFUSED.oauth);
    const kept: McpSecrets = { ...secrets, oauth: await refreshSignIn(place, secrets.oauth) };
    return await asTenant(deps.db, tenant, async (tx) => {
      const fresh = { secrets: sealConnection(deps.vault, row, kept), failure: null, updatedAt: new Date() };
      const [stored] = await tx.update(toolConnections).set(fresh).where(eq(toolConnections.id, row.id)).returning();
      return stored ?? { ...row, ...fresh };
    });
  } catch (error) {
    const now = await read();
    if (isNew(now)) return now!;
    throw error;
  }
}

/** Reads the listing and stores it. @throws ServerTrouble */
export async function renewListing(deps: CallDeps, tenant: Tenant, row: ConnectionRow, visit: Visit): Promise<void> {
  const listing = await readListing(visit);
  await asTenant(deps.db, tenant, (tx) => storeListing(tx, row.id, listing));
}

/** Switches off the tools whose action the server has changed or withdrawn since its owner has looked at it. */
export async function storeListing(tx: Tx, id: string, listing: ConnectionListing): Promise<void> {
  await tx
    .update(toolConnections)
    .set({ listing, checkedAt: new Date(), failure: null })
    .where(eq(toolConnections.id, id));
  const called = await tx
    .select({ id: tools.id, settings: tools.settings })
    .from(tools)
    .where(eq(tools.connectionId, id));
  for (const { id: toolId, settings } of called) {
    if (settings.kind !== "mcp") continue;
    const offer = listing.offers.find(({ name }) => name === settings.name);
    if (offer?.mark === settings.seen) continue;
    const offReason = offer === undefined ? GONE : CHANGED;
    await tx.update(tools).set({ enabled: false, offReason }).where(eq(tools.id, toolId));
  }
}
