import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, OpenDatabase } from "#server/platform/db/database.ts";
import { UnknownMasterKey } from "#server/platform/secrets/unknown-master-key.ts";
import { createVault, VaultError } from "#server/platform/secrets/vault.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { opened, seal } from "#server/test/sealed-webhooks.ts";
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

test("during a change both keys open everything; after it the former key opens nothing and the new one everything", async () => {
  const { db } = database;
  const [former, next] = [key(), key()];
  const before = createVault(await ringOf(db, former));
  await seal(db, before, 210);
  // One server has both keys, and the other still encrypts with the former key.
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
