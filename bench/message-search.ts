// The knowledge base's messages at 100k and a million, on both engines: pages, common words, a word that is nowhere (the
// whole history is walked, which is the worst case), and what another caller waits meanwhile.

import { Console } from "node:console";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { MessagesQuery } from "#contract/knowledge/knowledge-base.ts";
import { knowledgeStats } from "#server/knowledge/knowledge-base/knowledge-base.ts";
import { findMessages } from "#server/knowledge/messages/find-messages.ts";
import { asTenant, type Database, openDatabase, type Tenant } from "#server/platform/db/database.ts";
import { chats, messages } from "#server/platform/db/schema/knowledge.ts";
import { refreshStatistics } from "#server/platform/db/statistics.ts";
import { buildTenant } from "#server/test/factories/build-rows.ts";
import { materialOf } from "./material/reply-material.ts";

type StartPostgres = () => Promise<{ url: string; stop(): Promise<void> } | undefined>;
// The scripts are plain JavaScript outside this project's types.
const { startPostgres } = (await import(new URL("../scripts/postgres.mjs", import.meta.url).href)) as {
  startPostgres: StartPostgres;
};

const out = new Console(process.stdout);
const sizes = process.argv.includes("--million") ? [100_000, 1_000_000] : [100_000];
const texts = materialOf({ chunks: 1, messages: sizes.at(-1)!, questions: 1 }).messages;
const common = texts[0]!.split(" ").reduce((longest, word) => (word.length > longest.length ? word : longest));
const CHATS = 400;

const rows: Record<string, Record<string, string>> = {};
const postgres = await startPostgres();
if (postgres !== undefined) await measureOn("PostgreSQL", postgres.url);
await postgres?.stop();
await measureOn("PGlite", null);
out.table(rows);

async function measureOn(engine: string, databaseUrl: string | null) {
  for (const size of sizes) {
    const dataDir = await mkdtemp(join(tmpdir(), "bench-messages-"));
    const database = await openDatabase({ databaseUrl, dataDir, pool: 4 });
    try {
      rows[`${engine}, ${size} messages`] = await measure(database.db, await fill(database.db, size));
    } finally {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

/** Chat after chat, as an export brings them, each over the same three years. */
async function fill(db: Database, size: number): Promise<Tenant> {
  const tenant: Tenant = await buildTenant(db);
  const [org, twin, source] = [tenant.organizationId, randomUUID(), randomUUID()];
  await asTenant(db, tenant, async (tx) => {
    await tx.execute(sql`insert into twins (id, org_id, owner_id, name, description, personality, communication_style)
      values (${twin}, ${org}, ${tenant.userId}, 'Д', '', '', '')`);
    await tx.execute(sql`insert into sources (id, org_id, twin_id, kind, platform, name, external_id, message_count)
      values (${source}, ${org}, ${twin}, 'export', 'telegram', 'И', '', ${size})`);
    const chat = await tx.execute(sql`insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
      select ${org}, ${twin}, ${source}, 'telegram', n::text, 'private', 'Ч' || n from generate_series(1, ${CHATS}) n returning id`);
    const each = size / CHATS;
    for (let n = 0; n < CHATS; n++) {
      await tx.execute(sql`insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
        select ${org}, ${twin}, ${chat.rows[n]!.id}, true, at::text, text,
          timestamptz '2023-01-01' + (at * ${94_608_000 / each}::float8 + ${n}) * interval '1 second'
        from unnest(${sql.param(texts.slice(n * each, (n + 1) * each))}::text[]) with ordinality as given (text, at)`);
    }
  });
  await refreshStatistics(db, [messages, chats]);
  return tenant;
}

async function measure(db: Database, tenant: Tenant): Promise<Record<string, string>> {
  const whole = async (query: MessagesQuery) => {
    const started = performance.now();
    let [first, waited, found] = [0, 0, 0];
    let before: string | undefined;
    let searching = true;
    const other = (async () => {
      while (searching) {
        const asked = performance.now();
        await knowledgeStats(db, tenant);
        waited = Math.max(waited, performance.now() - asked);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    do {
      const page = await findMessages(db, tenant, { ...query, before });
      if (first === 0) first = performance.now() - started;
      found += page.messages.length;
      before = found >= 100 ? undefined : (page.next ?? undefined);
    } while (before !== undefined);
    searching = false;
    const total = performance.now() - started;
    await other;
    return { total, waited, found };
  };
  const ms = ({ total, waited }: { total: number; waited: number }) => `${total.toFixed(0)} (${waited.toFixed(0)})`;
  await whole({});
  const deep = `${Date.UTC(2023, 6, 1) * 1000}_1`;
  return {
    "first page": ms(await whole({})),
    "deep page": ms(await whole({ before: deep })),
    "common word": ms(await whole({ search: common.slice(0, 5) })),
    "two letters": ms(await whole({ search: "ст" })),
    "word that is nowhere": ms(await whole({ search: "абракадабра" })),
    "three such words": ms(await whole({ search: "абра кадабра нигде" })),
  };
}
