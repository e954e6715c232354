/** A twin's tools, managed by the members who may change the twin. */
import { randomUUID } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { ChosenTools } from "#contract/actions/tool-import.ts";
import { type NewTool, TOOLS_LIMIT, type Tool, type ToolInput } from "#contract/actions/tools.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { shownForms } from "#server/answers/tools/forms.ts";
import { openHeaders, sealHeaders } from "#server/answers/tools/headers.ts";
import { placeholdersIn } from "#server/answers/tools/http-call.ts";
import { type ToolRow, targetOf } from "#server/answers/tools/tool.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { tools, toolTables } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, invalid, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { requirePublicAddress } from "./public-address-input.ts";
import { tableNotFound, toTable } from "./tables.ts";
import type { ToolDeps } from "./tool-deps.ts";

type Input = z.output<typeof ToolInput>;
type Settings = Input["settings"];

export const toolNotFound = () => notFound("Действие не найдено", "tool_not_found");

/** Lists the tools of the twins that the caller may change. */
export function listTools(db: Database, caller: Caller, { twinId }: { twinId?: string | undefined }): Promise<Tool[]> {
  return asTenant(db, caller, async (tx) => {
    const rows = await rowsOf(tx)
      .where(
        and(
          eq(tools.orgId, caller.organizationId),
          caller.role === "org_admin" ? undefined : eq(twins.ownerId, caller.userId),
          twinId === undefined ? undefined : eq(tools.twinId, twinId),
        ),
      )
      .orderBy(asc(tools.createdAt), asc(tools.id));
    return rows.map(toJson);
  });
}

/** @throws Problem 404, 403, 400; 409 when the twin has too many */
export async function createTool(
  deps: ToolDeps,
  caller: Caller,
  { twinId, tool }: z.output<typeof NewTool>,
): Promise<Tool> {
  const [made] = await createTools(deps, caller, twinId, [tool]);
  return made!;
}

/** The chosen calls of a description as tools, all of them or none; nothing is called before its owner switches it on. @throws like `createTool` */
export const createChosenTools = (
  deps: ToolDeps,
  caller: Caller,
  { twinId, tools: chosen }: z.output<typeof ChosenTools>,
): Promise<Tool[]> =>
  createTools(
    deps,
    caller,
    twinId,
    chosen.map((tool) => ({ ...tool, enabled: false })),
  );

function createTools(deps: ToolDeps, caller: Caller, twinId: string, inputs: readonly Input[]): Promise<Tool[]> {
  for (const { settings } of inputs) requireSound(deps, settings);
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const known = await tx.select({ id: tools.id }).from(tools).where(eq(tools.twinId, twinId));
    if (known.length + inputs.length > TOOLS_LIMIT) throw tooMany(known.length, inputs.length);
    const made: Tool[] = [];
    for (const input of inputs) made.push(await insertTool(tx, deps, caller, { twinId, tool: input }));
    return made;
  });
}

async function insertTool(
  tx: Tx,
  { vault }: ToolDeps,
  caller: Caller,
  { twinId, tool: input }: z.output<typeof NewTool>,
): Promise<Tool> {
  const place = { id: randomUUID(), orgId: caller.organizationId };
  const headers = headersOf(input.settings, {});
  await tx.insert(tools).values({ ...place, twinId, ...columnsOf(input), headers: sealHeaders(vault, place, headers) });
  await bindTable(tx, { ...place, twinId }, input.settings);
  return finish(tx, caller, place.id, "tool-created");
}

const tooMany = (known: number, added: number) =>
  conflict(
    "too_many_tools",
    added === 1
      ? `У двойника уже ${TOOLS_LIMIT} действий. Удалите лишнее.`
      : `У двойника ${known} из ${TOOLS_LIMIT} действий: отметьте не больше ${Math.max(0, TOOLS_LIMIT - known)}.`,
  );

/** @throws Problem 404, 403, 400 */
export function updateTool(deps: ToolDeps, caller: Caller, id: string, input: Input): Promise<Tool> {
  requireSound(deps, input.settings);
  return asTenant(deps.db, caller, async (tx) => {
    const row = await getChangeableTool(tx, caller, id);
    const headers = headersOf(input.settings, keptHeaders(deps.vault, row, input.settings));
    await tx
      .update(tools)
      .set({ ...columnsOf(input), headers: sealHeaders(deps.vault, row, headers), updatedAt: sql`now()` })
      .where(eq(tools.id, id));
    await bindTable(tx, row, input.settings);
    return finish(tx, caller, id, "tool-changed");
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
    .select({ tool: tools, table: TABLE, twinName: twins.name })
    .from(tools)
    .innerJoin(twins, eq(twins.id, tools.twinId))
    .leftJoin(toolTables, eq(toolTables.toolId, tools.id));
/** Without the rows, which may be many. */
const TABLE = {
  id: toolTables.id,
  name: toolTables.name,
  url: toolTables.url,
  columns: toolTables.columns,
  rowCount: toolTables.rowCount,
  readAt: toolTables.readAt,
  failure: toolTables.failure,
};

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

function toJson({ tool, table, twinName }: Row): Tool {
  const { id, twinId, title, description, enabled, degree, changes, proof, examples, settings } = tool;
  const shownTable = table === null ? null : toTable(table, []);
  return {
    ...{ id, twinId, twinName, title, description, enabled, degree, changes, proof, examples },
    settings: settings.kind === "http" ? settings : { ...settings, table: shownTable! },
    forms: shownForms(tool),
    createdAt: tool.createdAt.toISOString(),
    updatedAt: tool.updatedAt.toISOString(),
  };
}

async function finish(tx: Tx, caller: Caller, id: string, action: "tool-created" | "tool-changed"): Promise<Tool> {
  const [row] = await rowsOf(tx).where(eq(tools.id, id));
  await record(tx, caller, action, row!.tool);
  return toJson(row!);
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

export function columnsOf({ settings, ...rest }: Input) {
  if (settings.kind === "table") return { ...rest, settings };
  return { ...rest, settings: { ...settings, headers: settings.headers.map(({ name }) => ({ name })) } };
}

/** Stored values that may go on being used: a secret is never sent to another host, so there it must be entered again. */
export const keptHeaders = (vault: Vault, row: ToolRow, settings: Settings): Record<string, string> =>
  hostOf(row.settings) === hostOf(settings) ? openHeaders(vault, row) : {};

const hostOf = (settings: { kind: "table" } | { kind: "http"; url: string }): string =>
  settings.kind === "table" ? "" : new URL(settings.url.replaceAll(/[{}]/g, "x")).host;

/** A value that is left out stays what it was. */
export function headersOf(settings: Settings, before: Readonly<Record<string, string>>): Record<string, string> {
  if (settings.kind === "table") return {};
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    settings.headers.map(({ name, value }) => {
      const kept = value ?? known.get(name.toLowerCase());
      if (kept === undefined) throw refused("settings", `Введите значение заголовка ${name}`);
      return [name, kept];
    }),
  );
}

const refused = (field: string, said: string) => invalid("invalid_input", said, { fields: { [field]: said } });

/** Headers that the server itself sets, or that would lead a request elsewhere. */
const OWN_HEADERS =
  /^(?:host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|idempotency-key|accept)$/i;

export function requireSound({ config }: ToolDeps, settings: Settings): void {
  if (settings.kind === "table") return;
  requirePublicAddress(settings.url.replaceAll(/[{}]/g, "x"), config.loopbackAddresses);
  const names = settings.fields.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length) throw refused("settings", "Два поля с одним именем");
  if (names.some((name) => /^proof\d$/.test(name))) throw refused("settings", "Имена proof1, proof2 и proof3 заняты");
  const unknown = placeholdersIn(settings.url).find((name) => !settings.fields.some((field) => field.name === name));
  if (unknown !== undefined) throw refused("settings", `В адресе есть {${unknown}}, а такого поля нет`);
  if (/[{}]/.test(settings.url.replace(/\{[A-Za-z][A-Za-z0-9_]{0,39}\}/g, "")))
    throw refused("settings", "Поле в адресе пишется как {order_id}");
  const optional = settings.fields.find(
    ({ name, required }) => !required && placeholdersIn(settings.url).includes(name),
  );
  if (optional !== undefined)
    throw refused("settings", `Поле {${optional.name}} стоит в адресе, поэтому оно обязательное`);
  const own = settings.headers.find(({ name }) => OWN_HEADERS.test(name));
  if (own !== undefined) throw refused("settings", `Заголовок ${own.name} ставит сервер`);
}

/** Binds the table to its tool; the former one is deleted. @throws Problem 404, 400 for columns that it does not have */
async function bindTable(tx: Tx, { id, twinId }: Pick<ToolRow, "id" | "twinId">, settings: Settings): Promise<void> {
  const tableId = settings.kind === "table" ? settings.tableId : null;
  const bound = await tx.select({ id: toolTables.id }).from(toolTables).where(eq(toolTables.toolId, id));
  for (const { id: former } of bound)
    if (former !== tableId) await tx.delete(toolTables).where(eq(toolTables.id, former));
  if (settings.kind !== "table") return;
  await requireTable(tx, { id, twinId }, settings);
  await tx.update(toolTables).set({ toolId: id }).where(eq(toolTables.id, settings.tableId));
}

/** @param tool `id` null: it is not saved yet. @throws Problem 404, 400 for columns that the table does not have */
export async function requireTable(
  tx: Tx,
  { id, twinId }: { id: string | null; twinId: string },
  settings: Settings,
): Promise<void> {
  if (settings.kind !== "table") return;
  const [table] = await tx
    .select({ toolId: toolTables.toolId, columns: toolTables.columns })
    .from(toolTables)
    .where(and(eq(toolTables.id, settings.tableId), eq(toolTables.twinId, twinId)));
  if (table === undefined || (table.toolId !== null && table.toolId !== id)) throw tableNotFound();
  const missing = [settings.keyColumn, ...settings.shown].find((column) => !table.columns.includes(column));
  if (missing !== undefined) throw refused("settings", `В таблице нет столбца «${missing}»`);
}
