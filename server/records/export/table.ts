/** How a table stands in an export: which columns (by name, none comes by itself), whose rows, in which order they are paged. */
import { getTableColumns, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ExportScope, Rules } from "./scope.ts";

export interface ExportedTable {
  table: PgTable;
  /** «data/<name>.jsonl» */
  name: string;
  /** What the rows are, for the guide inside the zip. */
  about: string;
  rules: Rules;
  /** What a line holds. */
  columns: Record<string, PgColumn | SQL>;
  /** Of these, what only the account's own export holds. */
  own: readonly string[];
  /** What no line holds, and why nobody misses it. */
  without: Record<string, string>;
  /** Unique together, and in their order the rows are read. */
  key: readonly PgColumn[];
  /** Columns whose text may be long: pages are cut by their length. */
  long: readonly PgColumn[];
  /** Rows are the platform's: no policy binds them to an organisation, the rule alone does. */
  platform: boolean;
}

type ColumnsOf<T extends PgTable> = T["_"]["columns"];

interface Definition<T extends PgTable, Name extends keyof ColumnsOf<T>> {
  name: string;
  about: string;
  rules: Rules;
  columns: readonly Name[];
  own?: readonly Name[];
  without?: Partial<Record<keyof ColumnsOf<T>, string>>;
  /** Said instead of a column that is left out. */
  instead?: Record<string, SQL>;
  key?: readonly (keyof ColumnsOf<T>)[];
  long?: readonly Name[];
  platform?: boolean;
}

export function exported<T extends PgTable, Name extends keyof ColumnsOf<T> & string>(
  table: T,
  {
    name,
    about,
    rules,
    columns,
    own = [],
    without = {},
    instead = {},
    key,
    long = [],
    platform = false,
  }: Definition<T, Name>,
): ExportedTable {
  const all = getTableColumns(table) as Record<string, PgColumn>;
  return {
    table,
    name,
    about,
    rules,
    columns: { ...Object.fromEntries(columns.map((column) => [column, all[column]!])), ...instead },
    own,
    without: without as Record<string, string>,
    key: (key ?? ["id"]).map((column) => all[column as string]!),
    long: long.map((column) => all[column]!),
    platform,
  };
}

export function columnsFor({ columns, own }: ExportedTable, scope: ExportScope): Record<string, PgColumn | SQL> {
  if (scope === "account") return columns;
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !own.includes(name)));
}
