import { createHash } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import { usageDay } from "#server/accounts/twins/usage.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { embeddings } from "#server/platform/db/schema/public-replies.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";
import type { EmbeddingCodes } from "./codes.ts";
import { LONGEST_TEXT } from "./embedder.ts";
import { type EmbeddedKind, idColumn } from "./nearest-units.ts";
import { tableOf, unitRows } from "./twin-units.ts";

/** Number of newest questions of the history that get embeddings; older ones are found by words. */
export const MAX_REPLY_EXAMPLES = 10_000;

export interface WaitingUnit {
  id: number;
  /** Text as the model receives it: a chunk after its document's name and heading. */
  text: string;
  /** SHA-256 of `text`, hexadecimal. */
  hash: string;
}

/** Removes embeddings of other models, which cannot be compared. */
export async function dropOtherModels(tx: Tx, twinId: string, model: string): Promise<void> {
  await tx.delete(embeddings).where(and(eq(embeddings.twinId, twinId), ne(embeddings.model, model)));
}

/** Returns up to `limit` units below `before` without an embedding, newest first. */
export async function readWaiting(
  tx: Tx,
  twinId: string,
  kind: EmbeddedKind,
  before: number,
  limit: number,
): Promise<WaitingUnit[]> {
  const { from, heading, text } = unitRows[kind];
  const oldest = sql`coalesce((select n.id from reply_examples n where n.twin_id = ${twinId}
    order by n.twin_id desc, n.id desc offset ${MAX_REPLY_EXAMPLES - 1} limit 1), 0)`;
  const { rows } = await tx.execute(sql`
    select u.id, left(concat_ws(E'\n', ${heading}, ${text}), ${LONGEST_TEXT}) as text
    from ${from} left join embeddings e on ${sql.raw(`e.${idColumn(kind)}`)} = u.id
    where u.twin_id = ${twinId} and u.id < ${before} and e.id is null and ${unitRows[kind].indexed}
    ${kind === "example" ? sql`and u.id >= ${oldest}` : sql``}
    order by u.twin_id desc, u.id desc limit ${limit}`);
  return (rows as unknown as { id: number; text: string }[]).map((row) => ({
    ...row,
    hash: createHash("sha256").update(row.text).digest("hex"),
  }));
}

const bytesOf = (hash: string) => Buffer.from(hash, "hex");

/** Returns the twin's embeddings of the same texts, by hash, so that a question asked a hundred times is embedded once. */
export async function readKnown(
  tx: Tx,
  twinId: string,
  units: readonly Pick<WaitingUnit, "hash">[],
): Promise<Map<string, EmbeddingCodes>> {
  const hashes = sql.param(units.map(({ hash }) => bytesOf(hash)));
  const { rows } = await tx.execute(sql`
    select distinct on (content_hash) content_hash as hash, codes, signs from embeddings
    where twin_id = ${twinId} and content_hash = any(${hashes}::bytea[])`);
  const found = rows as unknown as (EmbeddingCodes & { hash: Buffer })[];
  return new Map(found.map(({ hash, codes, signs }) => [hash.toString("hex"), { codes, signs }]));
}

/** Stores embeddings, skipping units deleted meanwhile. @returns whether the twin still exists */
export async function storeEmbeddings(
  tx: Tx,
  { organizationId, twinId }: Tenant & { twinId: string },
  kind: EmbeddedKind,
  model: string,
  units: readonly (WaitingUnit & EmbeddingCodes)[],
): Promise<boolean> {
  // Locks the twin first, like all transactions that change its knowledge.
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

/** Returns the embedding tokens that the twin has used today (Moscow time). */
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
