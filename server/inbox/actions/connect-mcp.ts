/** Connects an MCP server with a key, by OAuth or with nothing, and reads what it offers. Nothing of it is switched on. */
import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import {
  CONNECTIONS_LIMIT,
  type ConnectionCode,
  type ConnectionRenewal,
  type NewMcpConnection,
  type ToolConnection,
} from "#contract/actions/tool-connections.ts";
import { hashToken, newToken } from "#server/accounts/auth/sessions.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { readListing } from "#server/answers/mcp/listing.ts";
import { beginSignIn, completeSignIn } from "#server/answers/mcp/sign-in.ts";
import { ServerTrouble } from "#server/answers/mcp/trouble.ts";
import { type ConnectionRow, openConnection, sealConnection } from "#server/answers/tools/connection-secrets.ts";
import {
  type McpSecrets,
  placeOf,
  renewListing,
  storeListing,
  visitConnection,
} from "#server/answers/tools/connections.ts";
import { faultyField, refusedInput, requirePublicAddress } from "#server/answers/tools/refused-input.ts";
import { sealProxy } from "#server/answers/tools/stored-proxy.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { type ConnectionAuth, toolConnections } from "#server/platform/db/schema/tools.ts";
import { conflict, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import {
  connectionNotFound,
  getChangeableConnection,
  getMcpConnection,
  recordConnection,
  toConnection,
} from "./connections.ts";
import type { ConnectionDeps } from "./tool-deps.ts";

interface Opened {
  connection: ToolConnection;
  signInUrl: string | null;
}

/** Milliseconds in which a member must sign in at the authorization server. */
const SIGN_IN_MS = 20 * 60_000;

/** Headers that belong to the protocol. */
const OWN_HEADERS =
  /^(?:host|content-.*|transfer-encoding|connection|upgrade|te|trailer|expect|accept|cookie|mcp-.*)$/i;

/** @throws Problem 404, 403, 400; 409 when the twin has too many; 422 with what the server said */
export async function openMcp(
  deps: ConnectionDeps,
  caller: Caller,
  { twinId, title, url: entered, auth, proxy: enteredNow }: z.output<typeof NewMcpConnection>,
): Promise<Opened> {
  const url = requirePublicAddress(entered, deps.config.loopbackAddresses).href;
  if (auth.kind === "header" && OWN_HEADERS.test(auth.name))
    throw refusedInput("auth.name", `Заголовок ${auth.name} ставит сервер`);
  await asTenant(deps.db, caller, (tx) => requirePlace(tx, caller, twinId));
  const proxy = await enteredProxy(caller, enteredNow);
  const place = { id: randomUUID(), orgId: caller.organizationId };
  const secrets: McpSecrets | null = auth.kind === "header" ? { header: { name: auth.name, value: auth.value } } : null;
  const row: ConnectionRow = {
    ...{ ...place, twinId, kind: "mcp", title: title || new URL(url).host, url, auth: { kind: auth.kind } },
    secrets: secrets && sealConnection(deps.vault, place, secrets),
    proxy: sealProxy(deps.vault, "tool_connections", place, proxy),
    ...{ listing: null, checkedAt: null, failure: null, createdAt: new Date(), updatedAt: new Date() },
  };
  const begun = auth.kind === "oauth" ? await beginOAuth(deps, caller, row) : null;
  // What does not answer is not kept.
  const listing =
    begun === null ? await visitConnection(deps, caller, row, AbortSignal.any([]), readListing).catch(refuse) : null;
  return asTenant(deps.db, caller, async (tx) => {
    await requirePlace(tx, caller, twinId);
    const own = listing !== null && title === "" ? listing.server : "";
    const [kept] = await tx
      .insert(toolConnections)
      .values({ ...row, title: own || row.title, listing, checkedAt: listing && new Date(), ...begun?.columns })
      .returning();
    if (begun === null) await recordConnection(tx, caller, "tool-connected", kept!);
    return { connection: await toConnection(deps, tx, kept!), signInUrl: begun?.url ?? null };
  });
}

async function requirePlace(tx: Tx, caller: Caller, twinId: string): Promise<void> {
  await getChangeableTwin(tx, caller, twinId);
  const known = await tx
    .select({ id: toolConnections.id })
    .from(toolConnections)
    .where(eq(toolConnections.twinId, twinId));
  if (known.length >= CONNECTIONS_LIMIT)
    throw conflict("too_many_tool_connections", `У двойника уже ${CONNECTIONS_LIMIT} подключений. Отключите лишнее.`);
}

/** Begins a sign-in that this member alone may complete, once; the former one stays in use until then. */
async function beginOAuth(deps: ConnectionDeps, caller: Caller, row: ConnectionRow) {
  const { vault, config } = deps;
  const state = newToken();
  const place = placeOf(deps, row, AbortSignal.any([]));
  const redirectUrl = `${config.publicUrl}/twin-tools/${row.twinId}`;
  const { url, kept } = await beginSignIn(place, { redirectUrl, state }).catch(refuse);
  const expiresAt = new Date(Date.now() + SIGN_IN_MS).toISOString();
  const auth: ConnectionAuth = {
    kind: "oauth",
    signIn: { stateHash: hashToken(state), userId: caller.userId, expiresAt },
  };
  const before = openConnection<McpSecrets>(vault, row);
  const oauth = before !== null && "oauth" in before ? before.oauth : null;
  const secrets: McpSecrets = { oauth, pending: kept };
  return { url, columns: { auth, secrets: sealConnection(vault, row, secrets) } };
}

function refuse(error: unknown): never {
  if (!(error instanceof ServerTrouble)) throw error;
  throw unprocessable("tool_connection_refused", error.message, {
    cause: error,
    fields: { [faultyField(error, "url")]: error.message },
  });
}

/**
 * A new key is kept only if the server takes it; a new sign-in leaves the former one in use until it is completed.
 * @throws Problem 404, 403, 400, 422
 */
export async function renewConnection(
  deps: ConnectionDeps,
  caller: Caller,
  id: string,
  renewal: z.output<typeof ConnectionRenewal>,
): Promise<Opened> {
  const row = await asTenant(deps.db, caller, (tx) => getMcpConnection(tx, caller, id));
  if (row.auth.kind === "oauth") {
    const begun = await beginOAuth(deps, caller, row);
    return asTenant(deps.db, caller, async (tx) => {
      const [kept] = await tx
        .update(toolConnections)
        .set({ ...begun.columns, updatedAt: new Date() })
        .where(eq(toolConnections.id, id))
        .returning();
      return { connection: await toConnection(deps, tx, kept!), signInUrl: begun.url };
    });
  }
  const secrets = openConnection<McpSecrets>(deps.vault, row);
  const value = renewal.kind === "key" ? renewal.value : null;
  if (row.auth.kind === "header" && value === null) throw refusedInput("value", "Введите ключ");
  const header = secrets !== null && "header" in secrets && value !== null ? { ...secrets.header, value } : null;
  const fresh = header === null ? row : { ...row, secrets: sealConnection(deps.vault, row, { header }) };
  const listing = await visitConnection(deps, caller, fresh, AbortSignal.any([]), readListing).catch(refuse);
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableConnection(tx, caller, id);
    await tx
      .update(toolConnections)
      .set({ secrets: fresh.secrets, updatedAt: new Date() })
      .where(eq(toolConnections.id, id));
    await storeListing(tx, id, listing);
    const kept = await getChangeableConnection(tx, caller, id);
    await recordConnection(tx, caller, "tool-connected", kept);
    return { connection: await toConnection(deps, tx, kept), signInUrl: null };
  });
}

/** Only the member who began the sign-in completes it, once. @throws Problem 422 for another one, and when the server refuses the code */
export async function completeConnection(
  deps: ConnectionDeps,
  caller: Caller,
  { state, code, issuer }: z.output<typeof ConnectionCode>,
): Promise<ToolConnection> {
  const row = await asTenant(deps.db, caller, async (tx) => {
    const [found] = await tx
      .select()
      .from(toolConnections)
      .where(
        and(
          eq(toolConnections.orgId, caller.organizationId),
          sql`${toolConnections.auth} -> 'signIn' ->> 'stateHash' = ${hashToken(state)}`,
        ),
      )
      .for("update");
    const begun = found?.auth.signIn;
    if (found === undefined || begun?.userId !== caller.userId || Date.parse(begun.expiresAt) < Date.now())
      throw unprocessable("tool_sign_in_over", "Вход начат не здесь или истёк. Начните заново.");
    await getChangeableTwin(tx, caller, found.twinId);
    await tx
      .update(toolConnections)
      .set({ auth: { kind: "oauth" } })
      .where(eq(toolConnections.id, found.id));
    return found;
  });
  const secrets = openConnection<McpSecrets>(deps.vault, row);
  const pending = secrets !== null && "pending" in secrets ? secrets.pending : null;
  if (pending === null) throw new Error("a sign-in was begun, and nothing is kept of it");
  const place = placeOf(deps, row, AbortSignal.any([]));
  const oauth = await completeSignIn(place, pending, { code, issuer }).catch(refuse);
  const kept = await asTenant(deps.db, caller, async (tx) => {
    const signedIn: McpSecrets = { oauth, pending: null };
    const fresh = { secrets: sealConnection(deps.vault, row, signedIn), failure: null, updatedAt: new Date() };
    const [stored] = await tx.update(toolConnections).set(fresh).where(eq(toolConnections.id, row.id)).returning();
    if (stored === undefined) throw connectionNotFound();
    await recordConnection(tx, caller, "tool-connected", stored);
    return stored;
  });
  return readOffers(deps, caller, kept);
}

/** @throws Problem 404, 403; 422 with what the server said */
export async function readConnection(deps: ConnectionDeps, caller: Caller, id: string): Promise<ToolConnection> {
  return readOffers(deps, caller, await asTenant(deps.db, caller, (tx) => getMcpConnection(tx, caller, id)));
}

async function readOffers(deps: ConnectionDeps, caller: Caller, row: ConnectionRow): Promise<ToolConnection> {
  await visitConnection(deps, caller, row, AbortSignal.any([]), (visit) =>
    renewListing(deps, caller, row, visit),
  ).catch(refuse);
  return asTenant(deps.db, caller, async (tx) => {
    const read = await getChangeableConnection(tx, caller, row.id);
    const server = read.listing?.server ?? "";
    // Until it was signed in to, a server has not said its name.
    if (server === "" || read.title !== new URL(read.url).host) return toConnection(deps, tx, read);
    await tx.update(toolConnections).set({ title: server }).where(eq(toolConnections.id, row.id));
    return toConnection(deps, tx, { ...read, title: server });
  });
}
