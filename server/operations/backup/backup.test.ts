/** A restore brings back what was backed up, on either engine; a file that cannot be restored is refused before anything changes. */
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Decrypter, Encrypter } from "age-encryption";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "#server/app.ts";
import { configuredKeys } from "#server/operations/master-key/key-ring.ts";
import { RESTORING } from "#server/platform/db/check-database.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { createLog } from "#server/platform/log.ts";
import { createServices } from "#server/services.ts";
import {
  before,
  CANARY,
  embedded,
  file,
  folder,
  lock,
  manifestWith,
  owner,
  prepareBackup,
  prepareRestoreTarget,
  quiet,
  restoredOf,
  secrets,
  t,
  target,
  things,
} from "#server/test/backup/backup-bench.ts";
import { backUp, emptyTarget, makeLock } from "#server/test/backups.ts";
import { decryptionKeyOf, readBackupEntries } from "./age-file.ts";
import { readBackup } from "./read-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

prepareBackup();

const QUESTION = "Сколько стоит доставка?";

async function targetOf(engine: "embedded" | "postgres", masterKey = configuredKeys(t.services.config)[0]!) {
  const target = await emptyTarget(engine, lock, masterKey);
  onTestFinished(() => target.remove());
  return target;
}

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

describe("a restore", () => {
  prepareRestoreTarget();

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
});

// The format is the same for both engines.
describe.runIf(embedded)("the file", () => {
  test("shows nothing of what is in it, and standard tools know its formats", async () => {
    const bytes = await readFile(file);
    expect(bytes.subarray(0, 22).toString()).toBe("age-encryption.org/v1\n");
    const master = configuredKeys(t.services.config)[0]!;
    for (const word of [CANARY, master.toString("base64"), owner.caller.userId, "twins", "ustar"])
      expect(bytes.includes(word), word).toBe(false);
    expect(bytes.includes(master)).toBe(false);
    let found = false;
    for await (const entry of readBackupEntries(file, decryptionKeyOf({ ...lock })))
      found ||= entry.bytes.includes(CANARY);
    expect(found).toBe(true);
  });

  test("opens with its passphrase and no other", async () => {
    const passphrase = "верная лошадь батарея скрепка";
    const encrypter = new Encrypter();
    // The lowest cost that the format allows: the product's own cost takes a second and a half each time.
    encrypter.setScryptWorkFactor(1);
    encrypter.setPassphrase(passphrase);
    const decrypter = new Decrypter();
    decrypter.addIdentity(lock.identity!);
    const other = join(folder, "phrase.age");
    await writeFile(other, await encrypter.encrypt(await decrypter.decrypt(await readFile(file))));
    const open = (phrase: string) =>
      readBackup(other, decryptionKeyOf({ passphrase: phrase, recipient: null, identity: null }));
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

  test("of a newer program is refused with a sentence", async () => {
    const target = await targetOf("embedded");
    const { manifest } = await readBackup(file, decryptionKeyOf({ ...lock }));
    const migrations = [...manifest.migrations, { hash: "f".repeat(64), at: Date.now() }];
    await expect(restoreBackup(target.config, await manifestWith({ format: 2 }), quiet())).rejects.toThrow(
      "новая версия",
    );
    await expect(restoreBackup(target.config, await manifestWith({ migrations }), quiet())).rejects.toThrow(
      "новая версия",
    );
    expect(await readdir(target.config.dataDir)).toEqual([]);
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
