import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { Disk } from "#server/platform/files/disk.ts";
import { contentOf, type FileStore } from "#server/platform/files/file-store.ts";
import { FolderStore } from "#server/platform/files/folder-store.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { type S3Server, startOwnS3Server, startS3Server } from "#server/test/servers/s3-server.ts";
import { Bucket } from "./bucket.ts";
import { BACKUP_READS, ObjectStore } from "./object-store.ts";

const PIECE = 64 * 1024;
const HOUR = 3600_000;

let database: OpenDatabase;
let s3: S3Server;
let folder: string;
beforeAll(async () => {
  database = await openTestDatabase();
  s3 = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), "dt-files-"));
});
afterAll(async () => {
  await database.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens one machine's store: with S3 each machine has a disk of its own; a shared folder is common to all. */
function storeOn(machine: string, server: S3Server | "folder"): FileStore {
  if (server === "folder") {
    const dataDir = join(folder, "shared");
    return new FolderStore({ dataDir }, new Disk({ dataDir, diskFloorBytes: 0 }));
  }
  const dataDir = join(folder, machine);
  const disk = new Disk({ dataDir, diskFloorBytes: 0 });
  return new ObjectStore({ db: database.db, dataDir, disk, storage: server.storage, pieceBytes: PIECE });
}

const newName = () => `export-${randomBytes(16).toString("hex")}`;
const from = (bytes: Buffer) => Readable.from([bytes], { objectMode: false });

async function wholeOf(files: FileStore, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of contentOf(files, name)) parts.push(part);
  return Buffer.concat(parts);
}

const keysOf = async (name: string): Promise<string[]> => {
  const { rows } = await database.db.execute(sql`select key from stored_pieces where name = ${name} order by place`);
  return rows.map(({ key }) => String(key));
};
const announced = async (): Promise<string[]> => {
  const { rows } = await database.db.execute(sql`select key from stored_pieces`);
  return rows.map(({ key }) => String(key));
};

describe.each(["folder", "s3"] as const)("files in %s", (kind) => {
  const machines = () =>
    [storeOn("one", kind === "s3" ? s3 : kind), storeOn("two", kind === "s3" ? s3 : kind)] as const;

  test("grow by pieces of any length that reach two machines in turn, and are read anywhere at any place", async () => {
    const [one, two] = machines();
    const name = newName();
    const content = randomBytes(3.5 * PIECE);
    await one.create(name);
    expect(await two.size(name)).toBe(0);
    let offset = 0;
    for (const [at, end] of [10, PIECE, PIECE + 1, 3.2 * PIECE, content.length].map(Math.floor).entries()) {
      const source = from(content.subarray(offset, end));
      await [one, two][at % 2]!.append(name, { bytes: content.length, offset, source });
      offset = end;
      expect(await one.size(name)).toBe(end);
    }
    expect(await wholeOf(two, name)).toEqual(content);
    const file = await one.open(name);
    for (const [at, length] of [
      [0, 1],
      [PIECE - 1, 2],
      [5, 3 * PIECE],
      [content.length - 1, 100],
      [content.length, 1],
    ] as const) {
      expect(await file.read(at, length)).toEqual(content.subarray(at, at + length));
    }
    await file.close();
    await two.remove(name);
    expect(await one.size(name)).toBeNull();
  });

  test("refuse a piece that comes twice, too late, for no file, or with more bytes than were announced", async () => {
    const [one, two] = machines();
    const name = newName();
    const append = (files: FileStore, offset: number, text: string) =>
      files.append(name, { bytes: 6, offset, source: from(Buffer.from(text)) });
    await expect(append(one, 0, "abc")).rejects.toMatchObject({ status: 404, code: "upload_not_found" });
    await one.create(name);
    await append(one, 0, "abc");
    await expect(append(two, 0, "abc")).rejects.toMatchObject({ status: 409, code: "offset_differs" });
    await expect(append(two, 4, "e")).rejects.toMatchObject({ status: 409, code: "offset_differs" });
    await expect(append(two, 3, "defg")).rejects.toMatchObject({ status: 400, code: "upload_too_long" });
    await append(two, 3, "def");
    expect((await wholeOf(one, name)).toString()).toBe("abcdef");
    await one.remove(name);
  });

  test("keep what arrived before a connection broke", async () => {
    const [one, two] = machines();
    const name = newName();
    const content = randomBytes(2.5 * PIECE);
    await one.create(name);
    const source = new PassThrough();
    const appending = one.append(name, { bytes: content.length, offset: 0, source });
    source.write(content.subarray(0, 1.5 * PIECE));
    const arrived = async () => (await two.size(name))! >= PIECE;
    await expect.poll(arrived, { timeout: 60_000 }).toBe(true);
    source.destroy(new Error("the connection broke"));
    await expect(appending).rejects.toMatchObject({ status: 400, code: "upload_broken" });
    const offset = (await two.size(name))!;
    expect(offset).toBe(1.5 * PIECE);
    await two.append(name, { bytes: content.length, offset, source: from(content.subarray(offset)) });
    expect(await wholeOf(one, name)).toEqual(content);
    await one.remove(name);
  });

  test("are renamed, listed once they are unchanged for a while, and removed with what lies under their name", async () => {
    const [one, two] = machines();
    const [together, single] = [newName(), newName()];
    await one.write(single, from(Buffer.from("one")));
    await one.rename(single, `${together}/0`);
    await one.write(`${together}/names.json`, from(Buffer.from("[]")));
    expect((await wholeOf(two, `${together}/0`)).toString()).toBe("one");
    await expect(one.rename(single, "elsewhere")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(two.open(single)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await two.unchangedSince(Date.now() + HOUR)).toContain(together);
    expect(await two.unchangedSince(Date.now() - HOUR)).not.toContain(together);
    const left = await keysOf(`${together}/0`);
    await two.remove(together);
    await two.remove(together);
    expect(await one.size(`${together}/0`)).toBeNull();
    expect(await one.unchangedSince(Date.now() + HOUR)).not.toContain(together);
    for (const key of left) expect(await new Bucket(s3.storage).get(key)).toBeNull();
  });

  test("have a path for programs that read nothing else", async () => {
    const [one, two] = machines();
    const name = newName();
    await one.write(name, from(Buffer.from("weights")));
    const path = await two.localPath(name);
    expect(await two.localPath(name)).toBe(path);
    expect(await readFile(path, "utf8")).toBe("weights");
    await two.remove(name);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("files in s3", () => {
  const [one, two] = [() => storeOn("one", s3), () => storeOn("two", s3)];

  test("of two writers on two machines only the newer one stores anything", async () => {
    const name = newName();
    await one().create(name);
    const dead = new PassThrough();
    const older = one().append(name, { bytes: 3 * PIECE, offset: 0, source: dead });
    dead.write(Buffer.alloc(PIECE, 1));
    await expect.poll(() => two().size(name), { timeout: 60_000 }).toBe(PIECE);
    const source = from(Buffer.alloc(2 * PIECE, 2));
    await two().append(name, { bytes: 3 * PIECE, offset: PIECE, source });
    dead.end(Buffer.alloc(2 * PIECE, 3));
    await expect(older).rejects.toMatchObject({ status: 409, code: "offset_differs" });
    const content = Buffer.concat([Buffer.alloc(PIECE, 1), Buffer.alloc(2 * PIECE, 2)]);
    expect(await wholeOf(one(), name)).toEqual(content);
    // The objects of the older writer are deleted.
    const keys = await keysOf(name);
    expect(keys).toHaveLength(3);
    expect((await announced()).filter((key) => key.startsWith(name))).toHaveLength(3);
    await one().remove(name);
  });

  test("a writer that was killed leaves an object that the sweep deletes, and nobody else's object is touched", async () => {
    const server = await startOwnS3Server();
    onTestFinished(() => server.close());
    const store = storeOn("three", server);
    const name = newName();
    await store.write(name, from(Buffer.from("kept")));
    const stranger = "uploads/of-another-installation";
    server.objects!.set(stranger, Buffer.from("x"));
    const left = `${name}/000001-0000000000000000`;
    await database.db.execute(
      sql`insert into stored_pieces (key, name, bytes, sha256) values (${left}, ${name}, 1, 'x')`,
    );
    server.objects!.set(`uploads/${left}`, Buffer.from("x"));
    await store.sweep(Date.now() + HOUR / 2);
    expect(server.objects!.size).toBe(3);
    await store.sweep(Date.now() + 2 * HOUR);
    const [kept] = await keysOf(name);
    expect([...server.objects!.keys()].sort()).toEqual([stranger, `uploads/${kept}`].sort());
    await store.remove(name);
    expect([...server.objects!.keys()]).toEqual([stranger]);
  });

  test("a storage that is unavailable is reported without any secret; files that could not be deleted are swept later", async () => {
    const server = await startOwnS3Server();
    onTestFinished(() => server.close());
    const store = storeOn("three", server);
    const name = newName();
    await store.write(name, from(Buffer.from("kept")));
    await store.check();
    server.faults.status = 503;
    const saying = { status: 503, code: "storage_away", headers: { "retry-after": "30" } };
    await expect(store.check()).rejects.toMatchObject(saying);
    await expect(wholeOf(store, name)).rejects.toMatchObject(saying);
    await expect(store.append(name, { bytes: 5, offset: 4, source: from(Buffer.from("x")) })).rejects.toMatchObject(
      saying,
    );
    expect(await store.size(name)).toBe(4);
    await expect(store.remove(name)).rejects.toMatchObject(saying);
    expect(await store.size(name)).toBeNull();
    server.faults.status = null;
    expect(server.objects!.size).toBe(1);
    await store.sweep(Date.now());
    expect(server.objects!.size).toBe(0);

    const forged = new Bucket({ ...server.storage, secretKey: "another-secret-of-nobody" });
    const refused = await forged.check().catch((error: Error) => error);
    expect(refused).toMatchObject({ status: 503 });
    const got = await forged.get("x").catch((error: Error) => error);
    expect(String((got as Error).cause)).toBe("Error: GET: 403 SignatureDoesNotMatch");
    expect(JSON.stringify(got, Object.getOwnPropertyNames(got))).not.toContain("another-secret");
  });

  test("an object that somebody has changed is not believed", async () => {
    const server = await startOwnS3Server();
    onTestFinished(() => server.close());
    const store = storeOn("three", server);
    const name = newName();
    await store.write(name, from(Buffer.from("weights")));
    const [key] = [...server.objects!.keys()];
    server.objects!.set(key!, Buffer.from("Weights"));
    await expect(store.localPath(name)).rejects.toThrow("was changed");
    expect(await readdir(join(folder, "three", "copies"))).toEqual([]);
  });

  test("a redirect is not followed: only the configured host is contacted", async () => {
    let asked = 0;
    const listen = (answer: (to: string) => string | null, to: string) =>
      new Promise<string>((resolve) => {
        const server = createServer((_request, response) => {
          const location = answer(to);
          if (location === null) asked++;
          response.writeHead(location === null ? 200 : 307, location === null ? {} : { location }).end();
        }).listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
        onTestFinished(() => void server.close());
      });
    const foreign = await listen(() => null, "");
    const endpoint = await listen((to) => `${to}/bucket/x`, foreign);
    await expect(new Bucket({ ...s3.storage, endpoint }).put("x", Buffer.from("x"))).rejects.toMatchObject({
      code: "storage_away",
    });
    expect(asked).toBe(0);
  });

  test("copies on a machine's disk go with their file, wherever it was removed, and after a day without use", async () => {
    const [used, removed] = [newName(), newName()];
    for (const name of [used, removed]) {
      await one().write(name, from(Buffer.from("weights")));
      await two().localPath(name);
    }
    await one().remove(removed);
    const copies = () => readdir(join(folder, "two", "copies"));
    await two().sweep(Date.now());
    expect(await copies()).toEqual([used]);
    const yesterday = new Date(Date.now() - 25 * HOUR);
    await utimes(await two().localPath(used), yesterday, yesterday);
    await two().sweep(Date.now());
    expect(await copies()).toEqual([]);
    await one().remove(used);
  });

  test.skipIf("path" in inject("databaseSnapshot"))(
    "while a backup reads, what is removed waits for the sweep (PostgreSQL)",
    async () => {
      const name = newName();
      await one().write(name, from(Buffer.from("letters")));
      const [key] = await keysOf(name);
      const backup = await database.db.$client.connect();
      await backup.query("select pg_advisory_lock($1)", [BACKUP_READS]);
      await two().remove(name);
      expect((await new Bucket(s3.storage).get(key!))?.toString()).toBe("letters");
      await backup.query("select pg_advisory_unlock($1)", [BACKUP_READS]);
      backup.release();
      await two().sweep(Date.now());
      expect(await new Bucket(s3.storage).get(key!)).toBeNull();
    },
  );
});
