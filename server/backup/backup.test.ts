/** What was backed up is there again after a restore, on either engine; what cannot be restored is refused before anything is touched. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decrypter, Encrypter } from "age-encryption";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { createApp } from "#server/app.ts";
import { RESTORING } from "#server/db/baseline/check-database.ts";
import { openDatabase } from "#server/db/database.ts";
import { storedPath } from "#server/files/stored-files.ts";
import { createLog } from "#server/log.ts";
import { configuredKeys } from "#server/records/master-key/key-ring.ts";
import { verifyAll } from "#server/records/master-key/rewrap.ts";
import { SEALED_COLUMNS } from "#server/records/master-key/sealed-columns.ts";
import { createServices } from "#server/services.ts";
import {
  backUp,
  emptyTarget,
  fileDigests,
  initialisedTarget,
  type Lock,
  makeLock,
  type Target,
  tableDigests,
} from "#server/test/backups.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { fillTheRest } from "#server/test/privacy/deletion/one-of-everything.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { entriesOf, openerOf, sealed } from "./age-file.ts";
import type { Entry } from "./archive.ts";
import { BackupError } from "./backup-error.ts";
import { readBackup } from "./read-backup.ts";
import { type RestoreOptions, restoreBackup } from "./restore-backup.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const CANARY = `канарейка-${randomBytes(9).toString("hex")}`;
const QUESTION = "Сколько стоит доставка?";
/** Bytes around a secret of no length (secrets/vault.ts). */
const SHORTEST_SEALED = 93;
const embedded = "path" in inject("databaseSnapshot");

let t: TestApp;
let owner: TestClient;
let things: Things;
let lock: Lock;
let folder: string;
let file: string;
let before: Record<string, string>;
let secrets: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-backup-"));
  file = join(folder, "one.age");
  lock = await makeLock();
  t = await testApp();
  owner = await t.signUp();
  things = await makeThings(t, owner);
  await fillTheRest(t, owner, things);
  await t.jobsIdle();
  await t.services.jobs.stop(2000);
  const { db, config } = t.services;
  await mkdir(storedPath(config.dataDir, "folder"), { recursive: true });
  await writeFile(storedPath(config.dataDir, "folder/letters.json"), `{"text":"${CANARY}"}`);
  await writeFile(storedPath(config.dataDir, "empty"), "");
  await writeFile(storedPath(config.dataDir, "long"), randomBytes(2.5 * 1024 ** 2));
  await db.execute(sql`update users set first_name = ${CANARY} where id = ${owner.caller.userId}`);
  // Bytes that stand for secrets and are none.
  for (const { table, column } of SEALED_COLUMNS) {
    await db.execute(
      sql`delete from ${sql.identifier(table)} where octet_length(${sql.identifier(column)}) < ${SHORTEST_SEALED}`,
    );
  }
  // What waits in the queue, as a server that ends leaves it.
  await db.transaction((tx) =>
    t.services.jobs.enqueue(tx, "send-outbox", { ...tenant(), conversationId: things.conversationId }),
  );
  await backUp(t, file, lock);
  before = await state();
  secrets = await verifyAll(db, t.services.vault);
  expect(secrets).toBeGreaterThan(0);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const tenant = () => ({ organizationId: owner.caller.organizationId, userId: owner.caller.userId });

async function state(): Promise<Record<string, string>> {
  const client = await t.services.db.$client.connect();
  try {
    return { ...(await tableDigests(client)), ...(await fileDigests(t.services.config.dataDir)) };
  } finally {
    client.release();
  }
}

/** Files of models are not restored, and their rows say so; the login of an installation's requests is its own and in no backup. */
const restoredOf = ({ local_models: _, request_logins: __, ...digests }: Record<string, string>) => digests;

async function targetOf(engine: "embedded" | "postgres", masterKey = configuredKeys(t.services.config)[0]!) {
  const target = await emptyTarget(engine, lock, masterKey);
  onTestFinished(() => target.remove());
  return target;
}

const quiet = (options: Partial<RestoreOptions> = {}): RestoreOptions => ({ say: () => {}, ...options });

describe("a restore", () => {
  let target: Target;
  beforeAll(async () => {
    target = await initialisedTarget(embedded ? "embedded" : "postgres", lock, configuredKeys(t.services.config)[0]!);
  });
  afterAll(() => target.remove());

  test("brings back every row, file, job and secret, and the twin answers as before", async () => {
    const asked = {
      method: "POST",
      url: "/api/ai-generate",
      payload: { twinId: things.twinId, message: QUESTION },
    } as const;
    const { response, basis } = (await owner.inject(asked)).json();
    expect(basis).not.toBe("unknown");
    const files = Object.keys(before).filter((name) => name.startsWith("uploads/")).length;
    expect(files).toBeGreaterThanOrEqual(3);
    const restored = await restoreBackup(target.config, file, quiet({ goOn: true }));
    expect(restored).toMatchObject({ files, jobs: 1, secrets });
    expect(restoredOf(await target.digests())).toEqual(restoredOf(before));
    const log = createLog("silent");
    const services = await createServices(target.config, log, await openDatabase(target.config));
    const app = await createApp(services);
    try {
      const again = await app.inject({ ...asked, headers: { authorization: `Bearer ${owner.token}` } });
      expect(again.statusCode, again.body).toBe(200);
      expect(again.json()).toMatchObject({ response, basis });
      const { rows } = await services.db.execute(sql`select name from jobs.job where state = 'created'`);
      expect(rows).toContainEqual({ name: "send-outbox" });
    } finally {
      await app.close();
      await services.jobs.stop(2000);
      await services.database.close();
    }
  });

  test("refuses a database with data", async () => {
    const there = await target.digests();
    await expect(restoreBackup(target.config, file, quiet())).rejects.toThrow(/уже есть данные.*--replace/);
    expect(await target.digests()).toEqual(there);
  });

  test("that was cut short leaves a database that no server opens", async () => {
    await target.look((client) => client.query(`create schema ${RESTORING}`));
    await expect(openDatabase(target.config)).rejects.toThrow("восстановление этой базы из копии не закончено");
    await target.look((client) => client.query(`drop schema ${RESTORING}`));
  });

  test("sends nothing by itself that the other server may have sent since", async () => {
    const waiting = sql`update outbox set state = 'pending', author = null`;
    await t.services.db.execute(sql`alter table outbox disable trigger user`);
    const kept = await t.services.db.execute(sql`select id, state, author from outbox`);
    expect(kept.rows.length).toBeGreaterThan(0);
    await t.services.db.execute(waiting);
    const other = join(folder, "waiting.age");
    await backUp(t, other, lock);
    for (const { id, state, author } of kept.rows)
      await t.services.db.execute(sql`update outbox set state = ${state}, author = ${author} where id = ${id}`);
    await t.services.db.execute(sql`alter table outbox enable trigger user`);
    await restoreBackup(target.config, other, quiet({ replace: true }));
    const { outbox: _, twin_stops: __, ...restored } = restoredOf(await target.digests());
    const { outbox: ___, twin_stops: ____, ...expected } = restoredOf(await state());
    expect(restored).toEqual(expected);
    const rows = await target.look(async (client) => {
      const found = await client.query(`
        select distinct o.state, s.org_id is not null as stopped from outbox o left join twin_stops s on s.org_id = o.org_id`);
      return found.rows;
    });
    expect(rows).toEqual([{ state: "draft", stopped: true }]);
    // The former files are put aside, not deleted.
    expect((await readdir(target.config.dataDir)).filter((name) => name.startsWith("uploads.before-"))).toHaveLength(1);
  });
});

// The format is the same whichever engine the rows come from.
describe.runIf(embedded)("the file", () => {
  test("shows nothing of what is in it, and standard tools know its formats", async () => {
    const bytes = await readFile(file);
    expect(bytes.subarray(0, 22).toString()).toBe("age-encryption.org/v1\n");
    const master = configuredKeys(t.services.config)[0]!;
    for (const word of [CANARY, master.toString("base64"), owner.caller.userId, "twins", "ustar"])
      expect(bytes.includes(word), word).toBe(false);
    expect(bytes.includes(master)).toBe(false);
    let found = false;
    for await (const entry of entriesOf(file, openerOf({ ...lock }))) found ||= entry.bytes.includes(CANARY);
    expect(found).toBe(true);
  });

  test("opens with its passphrase and no other", async () => {
    const passphrase = "верная лошадь батарея скрепка";
    const encrypter = new Encrypter();
    // As little work as the format allows: a passphrase of the product's own files costs a second and a half each time.
    encrypter.setScryptWorkFactor(1);
    encrypter.setPassphrase(passphrase);
    const decrypter = new Decrypter();
    decrypter.addIdentity(lock.identity!);
    const other = join(folder, "phrase.age");
    await writeFile(other, await encrypter.encrypt(await decrypter.decrypt(await readFile(file))));
    const open = (phrase: string) =>
      readBackup(other, openerOf({ passphrase: phrase, recipient: null, identity: null }));
    await expect(open("неверная лошадь батарея")).rejects.toThrow("Фраза или ключ не подходят");
    expect((await open(passphrase)).manifest.product).toBe("0.2.0");
  });

  test("names in words a file and a folder that the server may not open", async () => {
    const target = await targetOf("embedded");
    const looping = join(folder, "looping.age");
    await symlink(looping, looping);
    const restoring = (path: string) => restoreBackup(target.config, path, quiet());
    await expect(restoring(join(folder, "none.age"))).rejects.toThrow(/^Файла .* нет\.$/);
    await expect(restoring(looping)).rejects.toThrow(/^Файл .*looping\.age не прочитать \(ELOOP\)/);
    await expect(backUp(t, join(file, "below", "two.age"), lock)).rejects.toThrow(
      /^В папку .*below не записать \(ENOTDIR\)/,
    );
  });

  test("is refused before anything is touched when it is cut, changed, foreign or of another key", async () => {
    const bytes = await readFile(file);
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(bytes.length / 2)]! ^= 1;
    const broken: [bytes: Buffer, said: RegExp][] = [
      [bytes.subarray(0, bytes.length - 1), /повреждён или обрезан/],
      [bytes.subarray(0, bytes.length >> 1), /повреждён или обрезан/],
      [flipped, /повреждён или обрезан/],
      [Buffer.concat([bytes, Buffer.from("x")]), /повреждён или обрезан/],
      [Buffer.alloc(0), /не резервная копия|повреждён/],
      [Buffer.from("PK\u0003\u0004 a zip"), /не резервная копия|повреждён/],
    ];
    const target = await targetOf("embedded");
    for (const [content, said] of broken) {
      await writeFile(join(folder, "broken.age"), content);
      await expect(restoreBackup(target.config, join(folder, "broken.age"), quiet())).rejects.toThrow(said);
    }
    const foreign = { ...target.config, backup: { ...target.config.backup, ...(await makeLock()) } };
    await expect(restoreBackup(foreign, file, quiet())).rejects.toThrow("Фраза или ключ не подходят");
    expect(await readdir(target.config.dataDir)).toEqual([]);
  });

  /** The same backup, each entry changed by whoever wrote it: the encryption says nothing against it. */
  async function forged(change: (entry: Entry) => Entry[]): Promise<string> {
    async function* entries() {
      for await (const entry of entriesOf(file, openerOf({ ...lock }))) yield* change(entry);
    }
    const path = join(folder, `${randomBytes(6).toString("hex")}.age`);
    await writeFile(path, (await sealed(entries(), lock)).bytes);
    return path;
  }
  const manifestWith = (changed: object) =>
    forged((entry) => {
      if (entry.name !== "manifest.json") return [entry];
      return [{ ...entry, bytes: Buffer.from(JSON.stringify({ ...JSON.parse(entry.bytes.toString()), ...changed })) }];
    });

  test("of a newer program is refused with a sentence", async () => {
    const target = await targetOf("embedded");
    const { manifest } = await readBackup(file, openerOf({ ...lock }));
    const migrations = [...manifest.migrations, { hash: "f".repeat(64), at: Date.now() }];
    await expect(restoreBackup(target.config, await manifestWith({ format: 2 }), quiet())).rejects.toThrow(
      "новая версия",
    );
    await expect(restoreBackup(target.config, await manifestWith({ migrations }), quiet())).rejects.toThrow(
      "новая версия",
    );
    expect(await readdir(target.config.dataDir)).toEqual([]);
  });

  test("that a stranger has made writes outside no folder and into no other table", async () => {
    const { manifest } = await readBackup(file, openerOf({ ...lock }));
    const renamed = (name: string) =>
      forged((entry) => (entry.name.startsWith("files/empty/") ? [{ ...entry, name }] : [entry]));
    // The writer itself refuses a path with dots: the reader must not depend on it.
    for (const name of ["files/../../escaped/00000001", "files/.hidden/00000001", "/etc/escaped/00000001"])
      await expect(renamed(name)).rejects.toThrow("cannot be named");
    const others = [
      await renamed("files/other/00000001"),
      await renamed("elsewhere/empty"),
      await forged((entry) => (entry.name === "sequences.json" ? [] : [entry, entry])),
      await forged((entry) => (entry.name === "sums.json" ? [] : [entry])),
      await manifestWith({ tables: [...manifest.tables, { name: "pg_authid", columns: ["rolname"] }] }),
    ];
    const target = await initialisedTarget("embedded", lock);
    onTestFinished(() => target.remove());
    for (const path of others) {
      await expect(restoreBackup(target.config, path, quiet())).rejects.toThrow(BackupError);
      expect(existsSync(join(target.config.dataDir, "uploads"))).toBe(false);
    }
  });

  test("is not there when writing it was interrupted, and no other takes its place", async () => {
    await expect(backUp(t, file, lock)).rejects.toThrow("уже есть");
    const stopped = join(folder, "stopped.age");
    const { db, config, database } = t.services;
    const client = await db.$client.connect();
    const ending = new AbortController();
    ending.abort();
    const { dataDir, storage } = config;
    const source = { client, engine: database.kind, dataDir, storage, masterKeys: [], product: "0.2.0" };
    const { writeBackup } = await import("./write-backup.ts");
    const writing = writeBackup(source, stopped, { lock, say: () => {}, signal: ending.signal });
    await expect(writing).rejects.toThrow(/abort/i);
    client.release();
    expect((await readdir(folder)).filter((name) => name.startsWith("stopped"))).toEqual([]);
    expect((await readdir(config.dataDir)).filter((name) => name.startsWith("backup-"))).toEqual([]);
  });
});
