// How long a backup and a restore take, and how much memory: a data folder of a small company, backed up, restored into PostgreSQL,
// backed up there and restored into a folder again (docs/decisions/013-backups.md).
//   npm run bench:backup -- [--conversations N]
// Each conversation has twenty messages of some hundred letters; beside them the owner's letters, five for each conversation.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { sql } from "drizzle-orm";
import { makeBackup } from "#server/operations/backup/make-backup.ts";
import { restoreBackup } from "#server/operations/backup/restore-backup.ts";
import { type Config, readConfig } from "#server/platform/config.ts";
import { asTenant, type Database, openDatabase } from "#server/platform/db/database.ts";
import { buildTenantWithTwin } from "#server/test/factories/build-rows.ts";
import { startPostgres } from "./postgres/with-postgres.ts";

const { values } = parseArgs({ options: { conversations: { type: "string", default: "10000" } } });
const conversations = Number(values.conversations);
const MESSAGES = 20;
const LETTERS = 5;
const quiet = { say: () => {} };

const folder = await mkdtemp(join(tmpdir(), "bench-backup-"));
const identity = await generateX25519Identity();
const lock = { passphrase: null, recipient: await identityToRecipient(identity), identity };
const read = readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DEMO: "0", DATA_DIR: join(folder, "first") });
const config = (name: string, databaseUrl: string | null = null): Config => ({
  ...{ ...read, dataDir: join(folder, name), databaseUrl },
  masterKey: Buffer.alloc(32, 7),
  backup: { ...read.backup, ...lock },
});

/** Two hundred letters, of which no two messages share the end: a real history compresses less than one sentence said again and again. */
const text = sql`'Здравствуйте, подскажите по заказу: ' || md5(random()::text) || ' привезут ли завтра до обеда? ' || md5(at::text)`;

async function fill(db: Database): Promise<void> {
  const { tenant, twinId } = await buildTenantWithTwin(db);
  const org = tenant.organizationId;
  await asTenant(db, tenant, async (tx) => {
    await tx.execute(sql`insert into conversations (org_id, twin_id, platform, participant_name, external_id)
      select ${org}, ${twinId}, 'telegram', 'Иван ' || at, at::text from generate_series(1, ${conversations}::int) at`);
    await tx.execute(sql`insert into conversation_messages (org_id, conversation_id, role, content)
      select ${org}, c.id, case when at % 2 = 1 then 'user' else 'assistant' end, ${text}
      from conversations c, generate_series(1, ${MESSAGES}::int) at where c.twin_id = ${twinId}`);
    const { rows: source } = await tx.execute<{ id: string }>(sql`
      insert into sources (org_id, twin_id, kind, platform, name, external_id)
      values (${org}, ${twinId}, 'export', 'telegram', 'Выгрузка', '') returning id`);
    const { rows: chat } = await tx.execute<{ id: number }>(sql`
      insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
      values (${org}, ${twinId}, ${source[0]!.id}, 'telegram', '1', 'private', 'Иван') returning id`);
    await tx.execute(sql`insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
      select ${org}, ${twinId}, ${chat[0]!.id}, at % 2 = 0, at::text, ${text}, now()
      from generate_series(1, ${conversations * LETTERS}::int) at`);
  });
}

interface Row {
  step: string;
  seconds: string;
  rows: number;
  "MB of the file": string;
  "MB of memory, at most so far": string;
}
const rows: Row[] = [];

async function timed(step: string, file: string, work: () => Promise<{ rows: number }>): Promise<void> {
  const begun = performance.now();
  const done = await work();
  rows.push({
    step,
    seconds: ((performance.now() - begun) / 1000).toFixed(1),
    rows: done.rows,
    "MB of the file": ((await stat(file)).size / 1024 ** 2).toFixed(1),
    "MB of memory, at most so far": (process.resourceUsage().maxRSS / 1024).toFixed(0),
  });
}

const postgres = await startPostgres();
try {
  const [first, second] = [join(folder, "first.age"), join(folder, "second.age")];
  const [lite, back] = [config("first"), config("back")];
  const database = await openDatabase(lite);
  await fill(database.db);
  await database.close();
  await timed("backup of a data folder, read back", first, () => makeBackup(lite, first, quiet));
  if (postgres === undefined) {
    console.error("PostgreSQL is absent: only the data folder is measured.");
    await timed("restored into a data folder", first, () => restoreBackup(back, first, { ...quiet, goOn: true }));
  } else {
    const server = config("server", postgres.url);
    await timed("restored into PostgreSQL", first, () => restoreBackup(server, first, { ...quiet, goOn: true }));
    await timed("backup of PostgreSQL, read back", second, () => makeBackup(server, second, quiet));
    await timed("restored into a data folder", second, () => restoreBackup(back, second, { ...quiet, goOn: true }));
  }
  console.log(`${conversations} conversations of ${MESSAGES} messages, ${conversations * LETTERS} letters`);
  console.table(rows);
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
