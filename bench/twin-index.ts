// The stored index on PostgreSQL, rows and all: building it, the first search of a twin that was idle, searches of a hot
// one, and the first search after a change. One chunk index of 1,000 beside 1k, 10k, 100k messages.

import { Console } from "node:console";
import { sql } from "drizzle-orm";
import type { UnitKind } from "#server/knowledge/embeddings/twin-units.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { searchTwin, setIndexCacheBytes } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { readMessages, readXquad } from "./material/public-data.ts";
import { searchedTwin } from "./material/searched-twin.ts";
import { withPostgres } from "./postgres/with-postgres.ts";

const out = new Console(process.stdout);
const cacheBytes = 256 * 2 ** 20;
const sizes = process.argv.includes("--million") ? [1000, 10_000, 100_000, 1_000_000] : [1000, 10_000, 100_000];
const paragraphs = [...readXquad("ru"), ...readXquad("en")];
const questions = readXquad("ru").flatMap((paragraph) => paragraph.questions.map(({ text }) => text));
const pool = readMessages(sizes.at(-1)!);

await withPostgres(async (db) => {
  const rows: Record<string, Record<string, string>> = {};
  for (const size of sizes) rows[`${size} messages`] = await measure(db, size);
  out.table(rows);
});

async function measure(db: Database, size: number): Promise<Record<string, string>> {
  const { tenant, twinId, documentId } = await searchedTwin(db, {
    chunks: Array.from({ length: 1000 }, (_, n) => paragraphs[n % paragraphs.length]!.text),
    messages: pool.slice(0, size),
  });

  const find = (query: string, kinds: UnitKind[]) =>
    asTenant(db, tenant, (tx) => searchTwin(tx, { twinId, audience: { kind: "owner" }, query, kinds, limit: 5 }));
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const median = async (kinds: UnitKind[]) => {
    const times: number[] = [];
    for (const question of questions.slice(0, 300)) times.push(await timed(() => find(question, kinds)));
    return times.toSorted((a, b) => a - b)[150]!;
  };
  const all: UnitKind[] = ["chunk", "message"];
  const built = await timed(() => buildTwinIndex(db, tenant, twinId));
  const again = await timed(() => buildTwinIndex(db, tenant, twinId));
  const stored = await asTenant(db, tenant, (tx) =>
    tx.execute(sql`select count(*) as count, sum(octet_length(bytes)) as bytes, sum(pg_column_size(bytes)) as stored
      from index_segments where twin_id = ${twinId}`),
  );
  setIndexCacheBytes(cacheBytes);
  const coldChunks = await timed(() => find(questions[0]!, ["chunk"]));
  const coldAll = await timed(() => find(questions[0]!, all));
  const [hotChunks, hotAll] = [await median(["chunk"]), await median(all)];
  await asTenant(db, tenant, (tx) =>
    tx.execute(sql`insert into chunks (org_id, twin_id, document_id, ordinal, text)
      values (${tenant.organizationId}, ${twinId}, ${documentId}, 0, 'Доставка занимает два дня')`),
  );
  const afterChange = await timed(() => find("доставка", all));
  const ms = (value: number) => value.toFixed(1);
  return {
    "build s": (built / 1000).toFixed(2),
    "build again ms": ms(again),
    segments: String(stored.rows[0]!.count),
    "MB (stored)": [stored.rows[0]!.bytes, stored.rows[0]!.stored]
      .map((value) => ms(Number(value) / 2 ** 20))
      .join(" → "),
    "first ms: chunks, all": `${ms(coldChunks)}, ${ms(coldAll)}`,
    "hot p50 ms: chunks, all": `${hotChunks.toFixed(2)}, ${hotAll.toFixed(2)}`,
    "after a change ms": ms(afterChange),
  };
}
