// What of a twin's rows is indexed, and reading it: the passages of its documents, the owner's past replies (matched by
// what they answered) and single messages.
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import type { Unit } from "./index-segment.ts";

export type UnitKind = "passage" | "exemplar" | "message";
export const unitKinds: readonly UnitKind[] = ["passage", "exemplar", "message"];

/** Who asks the twin: its owner sees everything, a contact what is open to all and what is theirs. */
export type Audience = { kind: "owner" } | { kind: "contact"; contactId: number };

/** Whether the asker may be shown units of an audience (see `Unit`). */
export function allowsOf(audience: Audience): (unitAudience: number) => boolean {
  if (audience.kind === "owner") return () => true;
  const { contactId } = audience;
  if (!(contactId > 0)) throw new RangeError(`${contactId} is not the id of a contact`);
  return (unitAudience) => unitAudience === 0 || unitAudience === contactId;
}

/** The same as a condition on a query's `audience` expression. */
export function audienceCondition(audience: Audience, expression: SQL): SQL {
  if (audience.kind === "owner") return sql`true`;
  return sql`${expression} in (0, ${audience.contactId})`;
}

interface UnitRows {
  from: SQL;
  text: SQL;
  heading: SQL;
  audience: SQL;
  indexed: SQL;
}

/** Each kind as rows `u`. A message is for its author and the owner; the owner's own are for the owner. */
export const unitRows: Record<UnitKind, UnitRows> = {
  passage: {
    from: sql`passages u join documents d on d.id = u.document_id`,
    text: sql`u.text`,
    heading: sql`concat_ws(' ', d.name, u.heading)`,
    audience: sql`u.audience`,
    indexed: sql`true`,
  },
  exemplar: {
    from: sql`exemplars u`,
    text: sql`u.incoming`,
    heading: sql`null`,
    audience: sql`u.audience`,
    indexed: sql`true`,
  },
  message: {
    from: sql`messages u`,
    text: sql`u.text`,
    heading: sql`null`,
    audience: sql`coalesce(u.contact_id, -1)`,
    indexed: sql`u.text <> ''`,
  },
};

export interface IdRange {
  /** Inclusive. */
  from: number;
  to: number;
}

function rowsOf(kind: UnitKind, twinId: string): SQL {
  const { from, indexed } = unitRows[kind];
  return sql`from ${from} where u.twin_id = ${twinId} and ${indexed}`;
}

async function readUnits(tx: Tx, kind: UnitKind, rows: SQL): Promise<Unit[]> {
  const { text, heading, audience } = unitRows[kind];
  const result = await tx.execute(
    sql`select u.id, ${audience} as audience, ${text} as text, ${heading} as heading ${rows}`,
  );
  return result.rows as unknown as Unit[];
}

/** Up to `limit` units of the range, by id. */
export function readUnitsInRange(
  tx: Tx,
  twinId: string,
  kind: UnitKind,
  { from, to }: IdRange,
  limit: number,
): Promise<Unit[]> {
  const rows = rowsOf(kind, twinId);
  return readUnits(tx, kind, sql`${rows} and u.id between ${from} and ${to} order by u.id limit ${limit}`);
}

export function readUnitsById(tx: Tx, twinId: string, kind: UnitKind, ids: readonly number[]): Promise<Unit[]> {
  const rows = rowsOf(kind, twinId);
  return readUnits(tx, kind, sql`${rows} and u.id = any(${sql.param(ids)}::bigint[]) order by u.id`);
}

export async function countUnitsInRange(tx: Tx, twinId: string, kind: UnitKind, range: IdRange): Promise<number> {
  const result = await tx.execute(
    sql`select count(*) as count ${rowsOf(kind, twinId)} and u.id between ${range.from} and ${range.to}`,
  );
  return Number(result.rows[0]!.count);
}

export async function listIdsInRange(tx: Tx, twinId: string, kind: UnitKind, range: IdRange): Promise<number[]> {
  const result = await tx.execute(
    sql`select u.id ${rowsOf(kind, twinId)} and u.id between ${range.from} and ${range.to}`,
  );
  return result.rows.map((row) => row.id as number);
}

/** The newest units behind `after`: at most `limit`, and about `characters` of text in all, ascending. */
export async function listNewestIds(
  tx: Tx,
  twinId: string,
  kind: UnitKind,
  after: number,
  { limit, characters }: { limit: number; characters: number },
): Promise<number[]> {
  const result = await tx.execute(sql`
    select u.id, length(${unitRows[kind].text}) as length ${rowsOf(kind, twinId)} and u.id > ${after}
    order by u.id desc limit ${limit}`);
  let left = characters;
  const ids: number[] = [];
  for (const row of result.rows) {
    if (left <= 0) break;
    left -= row.length as number;
    ids.push(row.id as number);
  }
  return ids.reverse();
}
