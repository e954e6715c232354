// The stored index on PostgreSQL, rows and all: building it, the first search of a twin that was idle, searches of a hot
// one, and the first search after a change. One passage index of 1,000 beside 1k, 10k, 100k messages.

import { Console } from "node:console";
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { asTenant, openDatabase, type Tenant } from "#server/db/database.ts";
import { organizations, users } from "#server/db/schema.ts";
import { buildTwinIndex } from "#server/engine/build-twin-index.ts";
import { searchTwin, setIndexCacheBytes } from "#server/engine/twin-index.ts";
import type { UnitKind } from "#server/engine/twin-units.ts";
import { readMessages, readXquad } from "./public-data.ts";

type StartPostgres = () => Promise<{ url: string; stop(): Promise<void> } | undefined>;
// The scripts are plain JavaScript outside this project's types.
const { startPostgres } = (await import(new URL("../scripts/postgres.mjs", import.meta.url).href)) as {
  startPostgres: StartPostgres;
};

const out = new Console(process.stdout);
const cacheBytes = 256 * 2 ** 20;
const sizes = process.argv.includes("--million") ? [1000, 10_000, 100_000, 1_000_000] : [1000, 10_000, 100_000];
const paragraphs = [...readXquad("ru"), ...readXquad("en")];
const questions = readXquad("ru").flatMap((paragraph) => paragraph.questions.map(({ text }) => text));
const pool = readMessages(sizes.at(-1)!);

const postgres = await startPostgres();
if (postgres === undefined) {
  console.error("PostgreSQL is absent: nothing to measure.");
  process.exit(0);
}
const database = await openDatabase({ databaseUrl: postgres.url, dataDir: "", pool: 4 });
try {
  const rows: Record<string, Record<string, string>> = {};
  for (const size of sizes) rows[`${size} messages`] = await measure(size);
  out.table(rows);
} finally {
  await database.close();
  await postgres.stop();
}

async function measure(size: number): Promise<Record<string, string>> {
  const { db } = database;
  const [user] = await db.insert(users).values({ authMethod: "email" }).returning({ id: users.id });
  const [organization] = await db.insert(organizations).values({ name: "О" }).returning({ id: organizations.id });
  const tenant: Tenant = { organizationId: organization!.id, userId: user!.id };
  const twinId = randomUUID();
  const [documentId, sourceId] = [randomUUID(), randomUUID()];
  const org = tenant.organizationId;
  await asTenant(db, tenant, async (tx) => {
    await tx.execute(sql`insert into twins (id, org_id, owner_id, name, description, personality, communication_style)
      values (${twinId}, ${org}, ${tenant.userId}, 'Д', '', '', '')`);
    await tx.execute(sql`insert into documents (id, org_id, twin_id, name, type, content, content_hash)
      values (${documentId}, ${org}, ${twinId}, 'Д', 'faq', '', '')`);
    await tx.execute(sql`insert into sources (id, org_id, twin_id, kind, platform, name, external_id)
      values (${sourceId}, ${org}, ${twinId}, 'export', 'telegram', 'И', '')`);
    const { rows } =
      await tx.execute(sql`insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
      values (${org}, ${twinId}, ${sourceId}, 'telegram', '1', 'private', 'Ч') returning id`);
    const texts = Array.from({ length: 1000 }, (_, n) => paragraphs[n % paragraphs.length]!.text);
    await tx.execute(sql`insert into passages (org_id, twin_id, document_id, ordinal, text)
      select ${org}, ${twinId}, ${documentId}, at, text from unnest(${sql.param(texts)}::text[]) with ordinality as given (text, at)`);
    for (let at = 0; at < size; at += 10_000) {
      await tx.execute(sql`insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
        select ${org}, ${twinId}, ${rows[0]!.id}, true, ${`${at} `} || at, text, now()
        from unnest(${sql.param(pool.slice(at, Math.min(size, at + 10_000)))}::text[]) with ordinality as given (text, at)`);
    }
  });
  await db.execute(sql`analyze`);

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
  const all: UnitKind[] = ["passage", "message"];
  const built = await timed(() => buildTwinIndex(db, tenant, twinId));
  const again = await timed(() => buildTwinIndex(db, tenant, twinId));
  const stored = await asTenant(db, tenant, (tx) =>
    tx.execute(sql`select count(*) as count, sum(octet_length(bytes)) as bytes, sum(pg_column_size(bytes)) as stored
      from index_segments where twin_id = ${twinId}`),
  );
  setIndexCacheBytes(cacheBytes);
  const coldPassages = await timed(() => find(questions[0]!, ["passage"]));
  const coldAll = await timed(() => find(questions[0]!, all));
  const [hotPassages, hotAll] = [await median(["passage"]), await median(all)];
  await asTenant(db, tenant, (tx) =>
    tx.execute(sql`insert into passages (org_id, twin_id, document_id, ordinal, text)
      values (${org}, ${twinId}, ${documentId}, 0, 'Доставка занимает два дня')`),
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
    "first ms: passages, all": `${ms(coldPassages)}, ${ms(coldAll)}`,
    "hot p50 ms: passages, all": `${hotPassages.toFixed(2)}, ${hotAll.toFixed(2)}`,
    "after a change ms": ms(afterChange),
  };
}
