/** Defines how a table is exported: its columns (each is listed by name), whose rows, and their order. */
import { getTableColumns, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ExportScope, ScopeConditions } from "./scope.ts";

export interface ExportedTable {
  table: PgTable;
  /** File name: «data/<name>.jsonl». */
  name: string;
  /** Describes the rows in the guide inside the zip. */
  about: string;
  rules: ScopeConditions;
  columns: Record<string, PgColumn | SQL>;
  /** The columns that only the account's own export contains. */
  own: readonly string[];
  /** Expressions that the organisation's export has instead of columns that may contain one member's secret. */
  shared: Record<string, SQL>;
  /** The columns that are never exported, each with the reason. */
  without: Record<string, string>;
  /** Columns that are unique together. The rows are read in their order. */
  key: readonly PgColumn[];
  /** Columns whose text may be long: pages are limited by their length. */
  long: readonly PgColumn[];
  /** Whether the rows belong to the platform: no policy restricts them to an organisation, only the rule does. */
  platform: boolean;
}

type ColumnsOf<T extends PgTable> = T["_"]["columns"];

interface Definition<T extends PgTable, Name extends keyof ColumnsOf<T>> {
  name: string;
  about: string;
  rules: ScopeConditions;
  columns: readonly Name[];
  own?: readonly Name[];
  shared?: Partial<Record<Name, SQL>>;
  without?: Partial<Record<keyof ColumnsOf<T>, string>>;
  /** Expressions that replace omitted columns. */
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
    shared = {},
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
    shared: shared as Record<string, SQL>,
    without: without as Record<string, string>,
    key: (key ?? ["id"]).map((column) => all[column as string]!),
    long: long.map((column) => all[column]!),
    platform,
  };
}

export function columnsFor(
  { columns, own, shared }: ExportedTable,
  scope: ExportScope,
): Record<string, PgColumn | SQL> {
  if (scope === "account") return columns;
  return Object.fromEntries(Object.entries({ ...columns, ...shared }).filter(([name]) => !own.includes(name)));
}
