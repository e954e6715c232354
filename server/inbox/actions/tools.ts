/** A twin's tools, managed by the members who may change the twin. */
import { randomUUID } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import { unclearChange } from "#contract/actions/tool-settings.ts";
import { type NewTool, TOOLS_LIMIT, type Tool, type ToolInput } from "#contract/actions/tools.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recognisedExample, shownForms, takenExamples, whyOnlyModel } from "#server/answers/tools/forms.ts";
import { openHeaders, sealHeaders } from "#server/answers/tools/headers.ts";
import { kindOf, targetOf } from "#server/answers/tools/kind-of.ts";
import { isCallable } from "#server/answers/tools/ledger.ts";
import { openProxy, sealProxy, shownProxy } from "#server/answers/tools/stored-proxy.ts";
import type { ToolPlace } from "#server/answers/tools/tool-kind.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { type ToolRow, toolConnections, tools, toolTables } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { toTable } from "./tables.ts";
import type { ShownToolDeps, ToolDeps } from "./tool-deps.ts";

type Input = z.output<typeof ToolInput>;

export const toolNotFound = () => notFound("Действие не найдено", "tool_not_found");

/** Lists the tools of the twins that the caller may change. */
export async function listTools(
  deps: ShownToolDeps,
  caller: Caller,
  { twinId }: { twinId?: string | undefined },
): Promise<Tool[]> {
  const shown = await showing(deps, caller);
  return asTenant(deps.db, caller, async (tx) => {
    const rows = await rowsOf(tx)
      .where(
        and(
          eq(tools.orgId, caller.organizationId),
          caller.role === "org_admin" ? undefined : eq(twins.ownerId, caller.userId),
          twinId === undefined ? undefined : eq(tools.twinId, twinId),
        ),
      )
      .orderBy(asc(tools.createdAt), asc(tools.id));
    const all = rows.map(({ tool }) => tool);
    return rows.map((row) => toJson(shown, row, all));
  });
}

/** @throws Problem 404, 403, 400; 409 when the twin has too many */
export async function createTool(
  deps: ShownToolDeps,
  caller: Caller,
  { twinId, tool }: z.output<typeof NewTool>,
): Promise<Tool> {
  const [made] = await createTools(deps, caller, twinId, [tool]);
  return made!;
}

/** Makes all of them or none. @throws like `createTool` */
export async function createTools(
  deps: ShownToolDeps,
  caller: Caller,
  twinId: string,
  inputs: readonly Input[],
): Promise<Tool[]> {
  for (const input of inputs) requireSound(deps, input);
  const shown = await showing(deps, caller);
  const proxies = new Map<string | undefined, ProxySettings | null>();
  for (const text of new Set(inputs.map(proxyIn))) proxies.set(text, await enteredProxy(caller, text));
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const known = await tx.select({ id: tools.id }).from(tools).where(eq(tools.twinId, twinId));
    if (known.length + inputs.length > TOOLS_LIMIT) throw tooMany(known.length, inputs.length);
    const made: Tool[] = [];
    for (const input of inputs) {
      const place = { id: randomUUID(), orgId: caller.organizationId };
      const { columns, secrets } = await columnsOf(tx, deps.vault, { ...place, twinId }, input, null);
      const proxy = proxies.get(proxyIn(input)) ?? null;
      await tx.insert(tools).values({ ...place, twinId, ...columns, ...sealed(deps, place, { secrets, proxy }) });
      await kindOf(columns.settings).bind(tx, { ...place, twinId }, columns.settings);
      made.push(await finish(shown, tx, caller, place.id, "tool-created"));
    }
    return made;
  });
}

const tooMany = (known: number, added: number) =>
  conflict(
    "too_many_tools",
    added === 1
      ? `У двойника уже ${TOOLS_LIMIT} действий. Удалите лишнее.`
      : `У двойника ${known} из ${TOOLS_LIMIT} действий: отметьте не больше ${Math.max(0, TOOLS_LIMIT - known)}.`,
  );

/** @throws Problem 404, 403, 400 */
export async function updateTool(deps: ShownToolDeps, caller: Caller, id: string, input: Input): Promise<Tool> {
  requireSound(deps, input);
  const shown = await showing(deps, caller);
  const entered = await enteredProxy(caller, proxyIn(input));
  return asTenant(deps.db, caller, async (tx) => {
    const row = await getChangeableTool(tx, caller, id);
    const { columns, secrets } = await columnsOf(tx, deps.vault, row, input, row);
    const proxy = keptProxy(deps, input, row) ?? entered;
    await tx
      .update(tools)
      .set({ ...columns, ...sealed(deps, row, { secrets, proxy }), updatedAt: sql`now()` })
      .where(eq(tools.id, id));
    const kind = kindOf(columns.settings);
    if (kind !== kindOf(row.settings)) await kindOf(row.settings).bind(tx, row, null);
    await kind.bind(tx, row, columns.settings);
    return finish(shown, tx, caller, id, "tool-changed");
  });
}

/** @throws Problem 404, 403 */
export function removeTool(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    const row = await getChangeableTool(tx, caller, id);
    await tx.delete(tools).where(eq(tools.id, id));
    await record(tx, caller, "tool-deleted", row);
  });
}

/** @throws Problem 404, 403 */
export async function getChangeableTool(tx: Tx, caller: Caller, id: string): Promise<ToolRow> {
  const [row] = await tx.select().from(tools).where(eq(tools.id, id));
  if (row === undefined) throw toolNotFound();
  await getChangeableTwin(tx, caller, row.twinId);
  return row;
}

const rowsOf = (tx: Tx) =>
  tx
    .select({ tool: tools, table: TABLE, connection: CONNECTION, twinName: twins.name })
    .from(tools)
    .innerJoin(twins, eq(twins.id, tools.twinId))
    .leftJoin(toolTables, eq(toolTables.toolId, tools.id))
    .leftJoin(toolConnections, eq(toolConnections.id, tools.connectionId));
/** Without the rows, which may be many. */
const TABLE = {
  id: toolTables.id,
  orgId: toolTables.orgId,
  proxy: toolTables.proxy,
  name: toolTables.name,
  url: toolTables.url,
  columns: toolTables.columns,
  rowCount: toolTables.rowCount,
  readAt: toolTables.readAt,
  failure: toolTables.failure,
};

const CONNECTION = { title: toolConnections.title, failure: toolConnections.failure };

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

interface Showing extends ToolDeps {
  /** Whether a model proposes calls. */
  hasModel: boolean;
}

/** Asked outside transactions. */
const showing = async (deps: ShownToolDeps, caller: Caller): Promise<Showing> => ({
  ...deps,
  hasModel: await deps.proposesCalls(caller),
});

/** @param all at least the tools of its twin */
function toJson(shown: Showing, { tool, table, connection, twinName }: Row, all: readonly ToolRow[]): Tool {
  const { id, twinId, title, description, degree, changes, proof, examples, settings } = tool;
  const unclear = unclearChange(settings, changes);
  const enabled = tool.enabled && unclear === null;
  const others = all.filter((other) => other.twinId === twinId && other.id !== id && isCallable(other));
  return {
    ...{ id, twinId, twinName, title, description, enabled, degree, changes, proof, examples },
    settings: kindOf(settings).show(settings, {
      proxy: shownProxy(shown.vault, "tools", tool),
      table: table === null ? null : toTable(shown, table, []),
      connection,
    }),
    offReason: tool.offReason ?? unclear,
    forms: shownForms(tool),
    needsModel: shown.hasModel || degree === "never" ? null : whyOnlyModel(tool),
    example: shown.hasModel ? (examples[0] ?? null) : recognisedExample(tool, others),
    taken: shown.hasModel || degree === "never" ? [] : takenExamples(tool, others),
    createdAt: tool.createdAt.toISOString(),
    updatedAt: tool.updatedAt.toISOString(),
  };
}

async function finish(
  shown: Showing,
  tx: Tx,
  caller: Caller,
  id: string,
  action: "tool-created" | "tool-changed",
): Promise<Tool> {
  const [row] = await rowsOf(tx).where(eq(tools.id, id));
  await record(tx, caller, action, row!.tool);
  const all = await tx.select().from(tools).where(eq(tools.twinId, row!.tool.twinId));
  return toJson(shown, row!, all);
}

function record(
  tx: Tx,
  { userId, organizationId }: Caller,
  action: "tool-created" | "tool-changed" | "tool-deleted",
  row: ToolRow,
): Promise<void> {
  const detail = {
    twinId: row.twinId,
    host: targetOf(row)?.split(/[ /]/)[1] ?? "",
    status: row.enabled ? "active" : "inactive",
  };
  return auditInTenant(tx, { action, userId, organizationId, subject: row.id, detail });
}

/** The columns of an input, and its secrets by name. @param before null: a new tool. @throws Problem 404, 400 */
export async function columnsOf(
  tx: Tx,
  vault: Vault,
  place: ToolPlace,
  { settings: input, ...rest }: Input,
  before: ToolRow | null,
) {
  const kind = kindOf(input);
  const settings = await kind.store(tx, place, input);
  const open = before === null ? null : { settings: before.settings, open: () => openHeaders(vault, before) };
  const secrets = kind.secretsOf(input, open);
  return { columns: { ...rest, settings, connectionId: kind.connectionOf(settings), offReason: null }, secrets };
}

/** The proxy as it was entered; undefined: nothing was said of it. */
export const proxyIn = ({ settings }: Input): string | undefined =>
  settings.kind === "http" ? settings.proxy : undefined;

/** The stored proxy of a call over HTTP of which the input says nothing; null: there is none, or another one was entered. */
export const keptProxy = ({ vault }: ToolDeps, { settings }: Input, before: ToolRow | null): ProxySettings | null =>
  settings.kind === "http" && settings.proxy === undefined && before?.settings.kind === "http"
    ? openProxy(vault, "tools", before)
    : null;

/** What is sealed beside a tool. */
export const sealed = (
  { vault }: ToolDeps,
  place: { id: string; orgId: string },
  { secrets, proxy }: { secrets: Record<string, string>; proxy: ProxySettings | null },
) => ({ headers: sealHeaders(vault, place, secrets), proxy: sealProxy(vault, "tools", place, proxy) });

/** @throws Problem 400 for what no tool can be */
export const requireSound = ({ config }: ToolDeps, { settings }: Input): void =>
  kindOf(settings).requireSound(config, settings);
