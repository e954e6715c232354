/** The rows of a twin's vectors: what has none yet, what is known of the same text already, and storing new ones. */
import { createHash } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/db/database.ts";
import { dailyUsage, embeddings, twins } from "#server/db/schema.ts";
import { usageDay } from "#server/twins/usage.ts";
import { tableOf, unitRows } from "../twin-units.ts";
import type { Codes } from "./codes.ts";
import { LONGEST_TEXT } from "./embedder.ts";
import { idColumn, type MeaningKind } from "./nearest-units.ts";

/** The newest questions of the history; what is older is found by its words. */
const MOST_EXEMPLARS = 10_000;

export interface WaitingUnit {
  id: number;
  /** As the model is given it: a passage under its document's name and heading. */
  text: string;
  /** SHA-256 of the text, hex. */
  hash: string;
}

/** Vectors of another model compare with nothing. */
export async function dropOtherModels(tx: Tx, twinId: string, model: string): Promise<void> {
  await tx.delete(embeddings).where(and(eq(embeddings.twinId, twinId), ne(embeddings.model, model)));
}

/** Up to `limit` units below `before` that have no vector, the newest first. */
export async function readWaiting(
  tx: Tx,
  twinId: string,
  kind: MeaningKind,
  before: number,
  limit: number,
): Promise<WaitingUnit[]> {
  const { from, heading, text } = unitRows[kind];
  const oldest = sql`coalesce((select n.id from exemplars n where n.twin_id = ${twinId}
    order by n.twin_id desc, n.id desc offset ${MOST_EXEMPLARS - 1} limit 1), 0)`;
  const { rows } = await tx.execute(sql`
    select u.id, left(concat_ws(E'\n', ${heading}, ${text}), ${LONGEST_TEXT}) as text
    from ${from} left join embeddings e on ${sql.raw(`e.${idColumn(kind)}`)} = u.id
    where u.twin_id = ${twinId} and u.id < ${before} and e.id is null and ${unitRows[kind].indexed}
    ${kind === "exemplar" ? sql`and u.id >= ${oldest}` : sql``}
    order by u.twin_id desc, u.id desc limit ${limit}`);
  return (rows as unknown as { id: number; text: string }[]).map((row) => ({
    ...row,
    hash: createHash("sha256").update(row.text).digest("hex"),
  }));
}

const bytesOf = (hash: string) => Buffer.from(hash, "hex");

/** What the twin has already for the same texts, by hash: a question that came a hundred times is asked for once. */
export async function readKnown(
  tx: Tx,
  twinId: string,
  units: readonly Pick<WaitingUnit, "hash">[],
): Promise<Map<string, Codes>> {
  const hashes = sql.param(units.map(({ hash }) => bytesOf(hash)));
  const { rows } = await tx.execute(sql`
    select distinct on (content_hash) content_hash as hash, codes, signs from embeddings
    where twin_id = ${twinId} and content_hash = any(${hashes}::bytea[])`);
  const found = rows as unknown as (Codes & { hash: Buffer })[];
  return new Map(found.map(({ hash, codes, signs }) => [hash.toString("hex"), { codes, signs }]));
}

/** What was deleted meanwhile gets no vector. @returns whether the twin is still there */
export async function storeMeanings(
  tx: Tx,
  { organizationId, twinId }: Tenant & { twinId: string },
  kind: MeaningKind,
  model: string,
  units: readonly (WaitingUnit & Codes)[],
): Promise<boolean> {
  // The twin first, as everyone who changes what it knows.
  const [twin] = await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, twinId)).for("key share");
  if (twin === undefined) return false;
  const column = <T>(of: (unit: (typeof units)[number]) => T) => sql.param(units.map(of));
  await tx.execute(sql`
    insert into embeddings (org_id, twin_id, ${sql.raw(idColumn(kind))}, model, content_hash, codes, signs)
    select ${organizationId}::uuid, ${twinId}::uuid, u.id, ${model}, new.hash, new.codes, new.signs
    from unnest(${column(({ id }) => id)}::bigint[], ${column(({ hash }) => bytesOf(hash))}::bytea[],
      ${column(({ codes }) => codes)}::bytea[], ${column(({ signs }) => signs)}::bytea[]) as new (id, hash, codes, signs)
    join ${tableOf(kind)} u on u.id = new.id and u.twin_id = ${twinId}
    for key share of u
    on conflict do nothing`);
  return true;
}

/** Of the day in Moscow. */
export async function tokensSpent(tx: Tx, twinId: string, now: Date): Promise<number> {
  const [row] = await tx
    .select({ spent: dailyUsage.embeddingTokens })
    .from(dailyUsage)
    .where(and(eq(dailyUsage.twinId, twinId), eq(dailyUsage.day, usageDay(now))));
  return row?.spent ?? 0;
}

export async function countTokens(
  tx: Tx,
  { organizationId, twinId }: Tenant & { twinId: string },
  tokens: number,
  now: Date,
): Promise<void> {
  await tx
    .insert(dailyUsage)
    .values({ orgId: organizationId, twinId, day: usageDay(now), embeddingTokens: tokens })
    .onConflictDoUpdate({
      target: [dailyUsage.twinId, dailyUsage.day],
      set: { embeddingTokens: sql`${dailyUsage.embeddingTokens} + excluded.embedding_tokens` },
    });
}
