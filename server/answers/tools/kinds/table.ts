/** A row of a table, found by its key. */
import { and, eq, ne } from "drizzle-orm";
import { toolTables } from "#server/platform/db/schema/tools.ts";
import { notFound, Problem } from "#server/platform/errors.ts";
import { bounded } from "../json-result.ts";
import { refusedInput } from "../refused-input.ts";
import type { ToolKind } from "../tool-kind.ts";
import { findRow } from "./table-rows.ts";

/** The field of the table's key. */
const KEY_FIELD = "key";

const NOTHING_SENT = { status: null, answer: "" };

export const tableKind: ToolKind<"table"> = {
  fieldsOf: ({ keyColumn }) => [
    { name: KEY_FIELD, label: keyColumn, type: "text", required: true, description: "", choices: [] },
  ],
  targetOf: () => null,
  requireSound: () => {},

  async store(tx, { id, twinId }, input) {
    const [table] = await tx
      .select({ toolId: toolTables.toolId, columns: toolTables.columns })
      .from(toolTables)
      .where(and(eq(toolTables.id, input.tableId), eq(toolTables.twinId, twinId)));
    if (table === undefined || (table.toolId !== null && table.toolId !== id))
      throw notFound("Таблица не найдена: загрузите её снова", "tool_table_not_found");
    const missing = [input.keyColumn, ...input.shown].find((column) => !table.columns.includes(column));
    if (missing !== undefined) throw refusedInput("settings", `В таблице нет столбца «${missing}»`);
    return input;
  },

  secretsOf: () => ({}),

  async bind(tx, { id }, settings) {
    const former = eq(toolTables.toolId, id);
    await tx.delete(toolTables).where(settings === null ? former : and(former, ne(toolTables.id, settings.tableId)));
    if (settings !== null) await tx.update(toolTables).set({ toolId: id }).where(eq(toolTables.id, settings.tableId));
  },

  show: (settings, { table }) => ({ ...settings, table: table! }),
  connectionOf: () => null,
  preview: () => null,

  async call(deps, tenant, { settings: { tableId, keyColumn, shown } }, { values }) {
    const key = values.find(({ name }) => name === KEY_FIELD)?.value ?? "";
    try {
      const row = await findRow(deps, tenant, { tableId, keyColumn, key });
      if (row === null) return { kind: "absent", ...NOTHING_SENT };
      const lines = shown.map((column) => ({ label: column, value: row.get(column) ?? "" }));
      return { kind: "done", result: bounded(lines), read: (source) => row.get(source) ?? null, ...NOTHING_SENT };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { kind: "failed", reason: error.message, ...NOTHING_SENT };
    }
  },
};
