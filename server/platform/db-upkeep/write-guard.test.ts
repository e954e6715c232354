/** Whether anything can be stored, from the figures of a disk and from what fails. Real full disks: full-disk.full.test.ts. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { createLog } from "#server/platform/log.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { WriteGuard, writeFloor } from "./write-guard.ts";

const MB = 2 ** 20;
const GB = 2 ** 30;

let dataDir: string;
let database: OpenDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "dt-guard-"));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const full = () => Object.assign(new Error("no room"), { cause: Object.assign(new Error("disk"), { code: "53100" }) });

function guardOf(kind: OpenDatabase["kind"], disk = { totalBytes: 40 * GB, freeBytes: 20 * GB }) {
  const guard = new WriteGuard({
    config: { dataDir },
    database: { kind, db: database.db },
    disk: { measure: async () => disk },
    log: createLog("silent"),
  });
  return { guard, disk };
}

test("the floor is a hundredth of the disk, but leaves room for the engine's journal and is never more than a gigabyte", () => {
  expect([GB, 40 * GB, 1000 * GB].map((total) => Math.round(writeFloor(total) / MB))).toEqual([128, 410, 1024]);
});

test("beside the embedded database writing stops at the floor and goes on with a quarter more, and who waits is let go", async () => {
  const { guard, disk } = guardOf("embedded", { totalBytes: 2 * GB, freeBytes: 128 * MB });
  await guard.look();
  expect(guard.obstacle).toBeNull();
  const { room } = guard;
  disk.freeBytes = 128 * MB - 1;
  await guard.look();
  expect([guard.obstacle, room.aborted]).toEqual(["disk", true]);
  expect(room.reason).toMatchObject({ status: 503, code: "cannot_write", headers: { "retry-after": "30" } });
  const leaving = new AbortController();
  const gone = guard.untilWritable(leaving.signal).catch((error: unknown) => error);
  let goesOn = false;
  const waiting = guard.untilWritable(new AbortController().signal).then(() => {
    goesOn = true;
  });
  leaving.abort(new Error("left"));
  expect(await gone).toEqual(new Error("left"));
  disk.freeBytes = 150 * MB;
  await guard.look();
  expect([guard.obstacle, goesOn]).toEqual(["disk", false]);
  disk.freeBytes = 160 * MB;
  await guard.look();
  await waiting;
  expect([guard.obstacle, goesOn, guard.room.aborted]).toEqual([null, true, false]);
  // Its file is gone.
  expect(await readdir(dataDir)).toEqual([]);
});

test.each(["embedded", "postgres"] as const)(
  "a write that finds no room closes it at once (%s), and one that does opens it",
  async (kind) => {
    const { guard } = guardOf(kind);
    guard.note(new Error("anything else"));
    expect(guard.obstacle).toBeNull();
    guard.note(full());
    expect(guard.obstacle).toBe(kind === "embedded" ? "disk" : "database");
    const { probe } = guard;
    guard.probe = async () => {
      throw full();
    };
    await guard.look();
    expect(guard.obstacle).not.toBeNull();
    // Another failure says nothing about room.
    guard.probe = async () => {
      throw new Error("the database is away");
    };
    const later = guardOf(kind).guard;
    later.note(full());
    later.probe = guard.probe;
    await later.look();
    expect(later.obstacle).not.toBeNull();
    const again = guardOf(kind).guard;
    again.note(full());
    again.probe = probe;
    await again.look();
    expect(again.obstacle).toBeNull();
  },
);

test("the probe of PostgreSQL writes rows that nobody sees and that are gone afterwards", async () => {
  const { guard } = guardOf("postgres");
  await guard.probe();
  const { rows } = await database.db.execute(
    "select count(*)::int as left from pg_class where relname = 'write_probe'",
  );
  expect(rows).toEqual([{ left: 0 }]);
});
