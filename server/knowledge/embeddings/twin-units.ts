// Defines and reads the indexed rows of a twin: chunks of documents, past replies (matched by what they answered), published replies, and
// single messages.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";

export interface IndexedUnit {
  /** Unique within its kind; a safe integer. */
  id: number;
  /** Who may see the unit: 0 everyone, −1 only the owner, n > 0 contact n and the owner. */
  audience: number;
  text: string;
  /** Matched as if it preceded the text: for example, the titles of a document and its section. */
  heading?: string;
}

export type UnitKind = "chunk" | "example" | "message" | "open";
export const unitKinds: readonly UnitKind[] = ["chunk", "example", "message", "open"];

/** Kinds with stored segments. Published replies are few and indexed in memory, so that a withdrawn one disappears at once. */
export const storedKinds = ["chunk", "example", "message"] as const satisfies readonly UnitKind[];
export type StoredKind = (typeof storedKinds)[number];

/**
 * Who asks the twin. The owner sees everything; a contact sees his own messages and what is public. A stranger or another member sees
 * only what is public: the owner's private messages stay private whatever a colleague's role.
 */
export type Audience =
  | { kind: "owner" }
  | { kind: "contact"; contactId: number }
  | { kind: "member" }
  | { kind: "stranger" };

/** Public kinds: the only ones searched for a stranger or a member (docs/decisions/021-shared-past-replies.md). */
const openKinds: ReadonlySet<UnitKind> = new Set(["chunk", "open"]);

/** Whether the asker may search, count and read units of this kind. */
export const mayReadKind = (audience: Audience, kind: UnitKind): boolean =>
  audience.kind === "owner" || audience.kind === "contact" || openKinds.has(kind);

export function audienceOf(caller: { userId: string }, twin: { ownerId: string }): Audience {
  return { kind: caller.userId === twin.ownerId ? "owner" : "member" };
}

/** Returns whether the asker may see a unit of the given audience (see `IndexedUnit`). */
export function allowsOf(audience: Audience): (unitAudience: number) => boolean {
  if (audience.kind === "owner") return () => true;
  if (audience.kind !== "contact") return (unitAudience) => unitAudience === 0;
  const { contactId } = audience;
  if (!(contactId > 0)) throw new RangeError(`${contactId} is not the id of a contact`);
  return (unitAudience) => unitAudience === 0 || unitAudience === contactId;
}

export function audienceCondition(audience: Audience, expression: SQL): SQL {
  if (audience.kind === "owner") return sql`true`;
  if (audience.kind !== "contact") return sql`${expression} = 0`;
  return sql`${expression} in (0, ${audience.contactId})`;
}

/** Returns the audiences (see `IndexedUnit`) that the asker may see; null: all. */
export function audiencesOf(audience: Audience): number[] | null {
  if (audience.kind === "owner") return null;
  return audience.kind === "contact" ? [0, audience.contactId] : [0];
}

/** Returns the SQL condition for a prepared statement, whose placeholder receives `audiencesOf`. */
export const audienceSql = (placeholder: string, expression: SQL): SQL =>
  sql`(${sql.placeholder(placeholder)}::bigint[] is null or ${expression} = any(${sql.placeholder(placeholder)}::bigint[]))`;

interface UnitRows {
  from: SQL;
  text: SQL;
  heading: SQL;
  audience: SQL;
  indexed: SQL;
}

/** Rows `u` of each kind. A message is visible to its author and the owner; the owner's own messages only to the owner. */
export const unitRows: Record<UnitKind, UnitRows> = {
  chunk: {
    from: sql`chunks u join documents d on d.id = u.document_id`,
    text: sql`u.text`,
    heading: sql`concat_ws(' ', d.name, u.heading)`,
    audience: sql`u.audience`,
    indexed: sql`true`,
  },
  example: {
    from: sql`reply_examples u`,
    text: sql`u.incoming`,
    heading: sql`null`,
    audience: sql`u.contact_id`,
    indexed: sql`true`,
  },
  open: {
    from: sql`open_replies u`,
    text: sql`u.question`,
    heading: sql`null`,
    audience: sql`0`,
    indexed: sql`u.state = 'open'`,
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
  /** Bounds of the id range, both inclusive. */
  from: number;
  to: number;
}

/**
 * Returns the rows of a range, to be ordered by `twin_id, id`. Both columns are compared as a pair: with `twin_id = …` and an order by id
 * alone, the planner scans the primary key through the rows of all other twins.
 */
function rowsInRange(kind: UnitKind, twinId: string, { from, to }: IdRange): SQL {
  const rows = unitRows[kind];
  return sql`from ${rows.from} where (u.twin_id, u.id) >= (${twinId}, ${from}) and (u.twin_id, u.id) <= (${twinId}, ${to})
    and ${rows.indexed}`;
}

const tables: Record<UnitKind, string> = {
  chunk: "chunks",
  example: "reply_examples",
  message: "messages",
  open: "open_replies",
};

export const tableOf = (kind: UnitKind): SQL => sql.raw(tables[kind]);

/** Returns a subquery for the twin's highest id; null without rows. */
export function newestId(kind: UnitKind, twinId: SQLWrapper): SQL {
  const table = tableOf(kind);
  return sql`(select n.id from ${table} n where n.twin_id >= ${twinId} and n.twin_id <= ${twinId}
    order by n.twin_id desc, n.id desc limit 1)`;
}

async function readUnits(tx: Tx, kind: UnitKind, rows: SQL): Promise<IndexedUnit[]> {
  const { text, heading, audience } = unitRows[kind];
  const result = await tx.execute(
    sql`select u.id, ${audience} as audience, ${text} as text, ${heading} as heading ${rows}`,
  );
  return result.rows as unknown as IndexedUnit[];
}

/** A page as few large values, which transfer faster than many rows; a worker thread parses the texts. */
export interface UnitPage {
  ids: number[];
  audiences: number[];
  /** Texts of the units, as a JSON array of strings. */
  texts: string;
  /** JSON array of strings and nulls. */
  headings: string;
  characters: number;
}

export async function readUnitPage(
  tx: Tx,
  twinId: string,
  kind: UnitKind,
  range: IdRange,
  limit: number,
): Promise<UnitPage> {
  const { text, heading, audience } = unitRows[kind];
  const { rows } = await tx.execute(sql`
    select coalesce(json_agg(id), '[]') as ids, coalesce(json_agg(audience), '[]') as audiences,
      coalesce(json_agg(text), '[]')::text as texts, coalesce(json_agg(heading), '[]')::text as headings,
      coalesce(sum(length(text)), 0) as characters
    from (
      select u.id, ${audience} as audience, ${text} as text, ${heading} as heading
      ${rowsInRange(kind, twinId, range)} order by u.twin_id, u.id limit ${limit}
    ) page`);
  return rows[0] as unknown as UnitPage;
}

export function readUnitsById(tx: Tx, twinId: string, kind: UnitKind, ids: readonly number[]): Promise<IndexedUnit[]> {
  const { from, indexed } = unitRows[kind];
  return readUnits(
    tx,
    kind,
    sql`from ${from} where u.twin_id = ${twinId} and u.id = any(${sql.param(ids)}::bigint[]) and ${indexed} order by u.id`,
  );
}

export async function countUnitsInRange(tx: Tx, twinId: string, kind: UnitKind, range: IdRange): Promise<number> {
  const result = await tx.execute(sql`select count(*) as count ${rowsInRange(kind, twinId, range)}`);
  return Number(result.rows[0]!.count);
}

export async function listIdsInRange(tx: Tx, twinId: string, kind: UnitKind, range: IdRange): Promise<number[]> {
  const result = await tx.execute(sql`select u.id ${rowsInRange(kind, twinId, range)}`);
  return result.rows.map((row) => row.id as number);
}

/** Returns ids after `after`, newest units, ascending: at most `limit`, and about `characters` of text in total. */
export async function listNewestIds(
  tx: Tx,
  twinId: string,
  kind: UnitKind,
  after: number,
  { limit, characters }: { limit: number; characters: number },
): Promise<number[]> {
  const range = { from: after + 1, to: Number.MAX_SAFE_INTEGER };
  const result = await tx.execute(sql`
    select u.id, length(${unitRows[kind].text}) as length ${rowsInRange(kind, twinId, range)}
    order by u.twin_id desc, u.id desc limit ${limit}`);
  let left = characters;
  const ids: number[] = [];
  for (const row of result.rows) {
    if (left <= 0) break;
    left -= row.length as number;
    ids.push(row.id as number);
  }
  return ids.reverse();
}
