// What search by embeddings costs a reply, on PostgreSQL: 1,000 chunks and 10,000 questions with vectors of 1,024 dimensions beside
// 100,000 messages; and how much of the true order the stored bytes keep. The vectors are made up (directions around 500
// subjects), so the table says nothing of how well a model finds: that is the model's own to show.

import { Console } from "node:console";
import { sql } from "drizzle-orm";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import { readWaiting, storeEmbeddings } from "#server/knowledge/embeddings/stored-embeddings.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { openTwinIndex, setIndexCacheBytes } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { preparePgvector } from "#server/platform/db/pgvector.ts";
import { createLog } from "#server/platform/log.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { readMessages, readXquad } from "./material/public-data.ts";
import { type SearchedTwin, searchedTwin } from "./material/searched-twin.ts";
import { withPostgres } from "./postgres/with-postgres.ts";

const DIMENSIONS = 1024;
const SUBJECTS = 500;
const QUESTIONS = 10_000;
const MESSAGES = 100_000;
const ASKED = 300;
const COMPARED = 100;
/** The first so many warm the code up. */
const WARM = 100;

const out = new Console(process.stdout);
const random = seededRandom("meaning");
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const direction = (around?: Float32Array) => {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => gaussian() + 1.2 * (around?.[at] ?? 0) * 32);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const subjects = Array.from({ length: SUBJECTS }, () => direction());
const ofSubject = () => direction(subjects[Math.floor(random() * SUBJECTS)]);
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;

const paragraphs = [...readXquad("ru"), ...readXquad("en")];
const questions = readXquad("ru").flatMap((paragraph) => paragraph.questions.map(({ text }) => text));

await withPostgres(async (db) => {
  const twin = await searchedTwin(db, {
    chunks: Array.from({ length: 1000 }, (_, n) => paragraphs[n % paragraphs.length]!.text),
    messages: readMessages(MESSAGES),
    pairs: QUESTIONS,
  });
  const vectors = await learnVectors(db, twin);
  await buildTwinIndex(db, twin.tenant, twin.twinId);
  await db.execute(sql`analyze`);

  const asked = Array.from({ length: ASKED }, ofSubject);
  let kept = 0;
  for (const vector of asked.slice(0, COMPARED)) {
    const truth = nearest(vectors, vector, 10);
    const found = await asTenant(db, twin.tenant, async (tx) => {
      const about = {
        audience: { kind: "owner" } as const,
        query: "ъ",
        limit: 10,
        queryEmbedding: meant(vector, false),
      };
      return (await openTwinIndex(tx, twin.twinId)).search({ ...about, kinds: ["example"] });
    });
    kept += found.filter(({ id }) => truth.has(id)).length;
  }
  out.log(`Of the 10 truly nearest questions the stored bytes find ${((10 * kept) / COMPARED).toFixed(1)} %.`);
  vectors.clear();

  const rows: Record<string, Record<string, string>> = {};
  rows["words alone"] = await times(db, twin, () => null);
  rows["words and meaning, in the process"] = await times(db, twin, (at) => meant(asked[at]!, false));
  if (await preparePgvector(db, createLog("silent")))
    rows["words and meaning, pgvector"] = await times(db, twin, (at) => meant(asked[at]!, true));
  else out.log("This PostgreSQL has no pgvector: its row is left out.");
  out.table(rows);
});

/** Computes the vector of every chunk and question, keyed by kind and id. */
async function learnVectors(db: Database, { tenant, twinId }: SearchedTwin): Promise<Map<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  for (const kind of ["chunk", "example"] as const) {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const units = await asTenant(db, tenant, (tx) => readWaiting(tx, twinId, kind, before, 500));
      if (units.length === 0) break;
      before = units.at(-1)!.id;
      for (const { id } of units) vectors.set(`${kind} ${id}`, ofSubject());
      const learnt = units.map((unit) => ({ ...unit, ...encodeVector(vectors.get(`${kind} ${unit.id}`)!) }));
      await asTenant(db, tenant, (tx) => storeEmbeddings(tx, { ...tenant, twinId }, kind, "m", learnt));
    }
  }
  return vectors;
}

function meant(vector: Float32Array, inDatabase: boolean): QueryEmbedding {
  const line = { middle: 0, slope: 10, least: -0.17 };
  return { model: "m", vector, scale: { replyExample: line, chunk: line }, inDatabase };
}

/** Ids of the questions whose vectors, as they were before they were stored, are the nearest. */
function nearest(vectors: ReadonlyMap<string, Float32Array>, asked: Float32Array, limit: number): Set<number> {
  const near: { id: number; similarity: number }[] = [];
  for (const [key, vector] of vectors) {
    if (!key.startsWith("example")) continue;
    let similarity = 0;
    for (let at = 0; at < DIMENSIONS; at++) similarity += vector[at]! * asked[at]!;
    near.push({ id: Number(key.split(" ")[1]), similarity });
  }
  near.sort((one, other) => other.similarity - one.similarity);
  return new Set(near.slice(0, limit).map(({ id }) => id));
}

/** As a reply searches: pairs, and chunks, in one transaction. */
async function times(
  db: Database,
  { tenant, twinId }: SearchedTwin,
  queryEmbeddingOf: (at: number) => QueryEmbedding | null,
) {
  setIndexCacheBytes(256 * 2 ** 20);
  const taken: number[] = [];
  let cpu = process.cpuUsage();
  for (let at = 0; at < ASKED; at++) {
    if (at === WARM) cpu = process.cpuUsage();
    const began = performance.now();
    await asTenant(db, tenant, async (tx) => {
      const index = await openTwinIndex(tx, twinId);
      const about = {
        audience: { kind: "owner" } as const,
        query: questions[at]!,
        queryEmbedding: queryEmbeddingOf(at),
      };
      await index.searchAll<"chunk" | "example">([
        { ...about, kinds: ["example"], limit: 6 },
        { ...about, kinds: ["chunk"], limit: 8, sentences: false },
      ]);
    });
    taken.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  const hot = taken.slice(WARM);
  const ms = (value: number) => value.toFixed(1);
  const ours = ((user + system) / 1000 / hot.length).toFixed(2);
  return {
    "our CPU ms": ours,
    "first ms": ms(taken[0]!),
    "p50 ms": ms(percentile(hot, 0.5)),
    "p95 ms": ms(percentile(hot, 0.95)),
  };
}
