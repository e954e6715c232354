/** Puts a word of its own into each column that COLUMN_SECRECY calls private, in rows that are private. */
import { getTableColumns, is, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#server/platform/db/database.ts";
import { COLUMN_SECRECY, type ColumnSecrecy } from "#server/platform/db/secrecy/column-secrecy.ts";
import * as schema from "../all-tables.ts";
import { plant, wordColumns } from "./deletion/plant.ts";

/** What makes the rows private, where they are not so anyway; null: they are open to colleagues. */
const PRIVATE_ROWS: Record<ColumnSecrecy, { makes?: SQL } | null> = {
  owner: {},
  contact: {},
  row: { makes: sql`secrecy = 'contact'` },
  audience: { makes: sql`audience = coalesce(nullif(audience, 0), contact_id, -1)` },
  state: { makes: sql`state = 'closed'` },
  member: {},
  // Words of a conversation are its readers' (inbox/conversations/access.ts): what a test chat keeps of them has tests of its own.
  conversation: null,
  organization: null,
  public: null,
  none: null,
};

/** Lists whose items have a shape of their own: a bare word among them would fail the calls that read them. */
const SHAPED = new Set(["corrections.context", "corrections.rules"]);

export interface PlantedSecret {
  /** «table.column» */
  place: string;
  word: string;
}

/** @returns one for each column in which the organisation has rows */
export async function plantSecrets(db: Database, orgId: string): Promise<PlantedSecret[]> {
  const known = await wordColumns(db);
  const secrets: PlantedSecret[] = [];
  for (const table of Object.values(schema)) {
    if (!is(table, PgTable)) continue;
    const { name } = getTableConfig(table);
    const columns = getTableColumns(table) as Record<string, PgColumn>;
    for (const [key, secrecy] of Object.entries(COLUMN_SECRECY[name] ?? {})) {
      const rows = PRIVATE_ROWS[secrecy];
      const column = known.find((one) => one.table === name && one.column === columns[key]!.name);
      if (rows === null || column === undefined || SHAPED.has(`${name}.${column.column}`)) continue;
      if (rows.makes !== undefined)
        await db.execute(sql`update ${sql.identifier(name)} set ${rows.makes} where org_id = ${orgId}`);
      const word = `zyablik${secrets.length}q`;
      // As an answer's sources hold it: other calls count them and show their texts.
      if (column.column === "citations")
        await db.execute(sql`update ${sql.identifier(name)} set citations =
          coalesce(citations, '{"replyExamples": [], "confidence": 1, "reason": "…"}') || jsonb_build_object('basis', 'corrected',
            'sources', jsonb_build_array(jsonb_build_object('documentId', '', 'name', 'Исправления', 'text', ${word}::text)))
          where org_id = ${orgId}`);
      if ((await plant(db, column, orgId, word)) > 0) secrets.push({ place: `${name}.${column.column}`, word });
    }
  }
  return secrets;
}
