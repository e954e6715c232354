/** The master key is changed while servers run, and a change that was killed is completed by the next run. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant, type Database, type OpenDatabase, openDatabase } from "#server/db/database.ts";
import { organizations, users, webhooks } from "#server/db/schema.ts";
import { UnknownMasterKey } from "#server/secrets/unknown-master-key.ts";
import { createVault, type Vault, VaultError } from "#server/secrets/vault.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { openSecret, sealSecret } from "#server/webhooks/secrets.ts";
import { openKeyRing } from "./key-ring.ts";
import { rewrapAll } from "./rewrap.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";

let database: OpenDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "dt-key-"));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const key = () => randomBytes(32);
const ringOf = (db: Database, ...[current, ...others]: Buffer[]) =>
  openKeyRing(db, { masterKey: current!, otherMasterKeys: others, dataDir });

/** Makes webhooks of a new organisation, each with a sealed secret. */
async function seal(db: Database, vault: Vault, count: number) {
  const [org] = await db.insert(organizations).values({ name: "Организация" }).returning();
  const email = `${randomUUID()}@example.test`;
  const [user] = await db.insert(users).values({ authMethod: "email", email }).returning();
  const [orgId, ownerId] = [org!.id, user!.id];
  await asTenant(db, { organizationId: orgId, userId: ownerId }, async (tx) => {
    const twinId = await buildTwinRow(tx, { organizationId: orgId, userId: ownerId });
    const of = { orgId, twinId, url: "https://example.test", events: [], includeTexts: false, enabled: true };
    const rows = Array.from({ length: count }, () => ({ ...of, id: randomUUID() }));
    await tx
      .insert(webhooks)
      .values(rows.map((row) => ({ ...row, secret: sealSecret(vault, row, "secret", `секрет ${row.id}`) })));
  });
}

async function opened(db: Database, vault: Vault): Promise<number> {
  const rows = await db.select().from(webhooks);
  for (const row of rows) expect(openSecret(vault, row, "secret", row.secret)).toBe(`секрет ${row.id}`);
  return rows.length;
}

test("during a change both keys open everything; after it the former key opens nothing and the new one everything", async () => {
  const { db } = database;
  const [former, next] = [key(), key()];
  const before = createVault(await ringOf(db, former));
  await seal(db, before, 210);
  // One server that has both keys, and one that still seals with the former key.
  const both = createVault(await ringOf(db, next, former));
  expect(await opened(db, both)).toBe(210);
  await seal(db, both, 1);
  let sealedMeanwhile = false;
  const { changed, verified } = await rewrapAll(db, both, async () => {
    if (sealedMeanwhile) return;
    sealedMeanwhile = true;
    await seal(db, before, 3);
  });
  expect({ changed, verified }).toEqual({ changed: 213, verified: 214 });
  const after = createVault(await ringOf(db, next));
  expect(await opened(db, after)).toBe(214);
  await expect(opened(db, before)).rejects.toThrow(VaultError);
  await expect(ringOf(db, key())).rejects.toThrow(UnknownMasterKey);
  expect(await rewrapAll(db, after)).toEqual({ changed: 0, verified: 214 });
});

test("every column of bytes is either sealed and rotated or known not to be sealed", async () => {
  const bytes = [
    "corrections.fact_subject",
    "corrections.embedding_codes",
    "declined_replies.content_hash",
    "embeddings.codes",
    "embeddings.content_hash",
    "embeddings.piece_codes",
    "embeddings.signs",
    "fact_proposals.subject",
    "fact_proposals.value",
    "gap_questions.embedding_codes",
    "index_segments.bytes",
    "passkeys.public_key",
    "push_devices.auth",
    "push_devices.p256dh",
  ];
  const { rows } = await database.db.execute(sql`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and udt_name = 'bytea' order by 1`);
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ place }) => place)).toEqual([...bytes, ...sealed].sort());
});

function rotate(folder: string): ChildProcess {
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  return spawn(process.execPath, [join(import.meta.dirname, "../../commands/rotate-master-key.ts")], { env });
}

test("a killed change of the embedded database's key leaves everything readable, and the next run completes it", async ({
  skip,
}) => {
  if (database.kind === "postgres") return skip("the same on either run");
  const folder = join(dataDir, "embedded");
  await prepareDataFolder(folder);
  const given = { databaseUrl: null, dataDir: folder };
  const config = { masterKey: null, otherMasterKeys: [], dataDir: folder };
  const first = await openDatabase(given);
  await seal(first.db, createVault(await openKeyRing(first.db, config)), 450);
  await first.close();
  const formerFile = await readFile(join(folder, "master.key"), "utf8");

  const killed = rotate(folder);
  for await (const line of createInterface({ input: killed.stdout! })) {
    if (line.startsWith("Перешифровано значений: 2")) killed.kill("SIGKILL");
  }
  if (killed.exitCode === null && killed.signalCode === null) await once(killed, "exit");
  expect(killed.signalCode).toBe("SIGKILL");
  // A server that is started now has both keys and opens everything.
  const between = await openDatabase(given);
  expect(await opened(between.db, createVault(await openKeyRing(between.db, config)))).toBe(450);
  await between.close();

  const ended = rotate(folder);
  let said = "";
  ended.stdout!.on("data", (part: Buffer) => {
    said += part;
  });
  await once(ended, "exit");
  expect(ended.exitCode).toBe(0);
  expect(said).toContain("проверено 450. Действует ключ версии 2.");
  const file = await readFile(join(folder, "master.key"), "utf8");
  expect(file.trim().split("\n")).toHaveLength(1);
  expect(file).not.toBe(formerFile);
  const after = await openDatabase(given);
  expect(await opened(after.db, createVault(await openKeyRing(after.db, config)))).toBe(450);
  await after.close();
});
