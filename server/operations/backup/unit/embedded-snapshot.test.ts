/** A backup beside the server that has the embedded database open: both processes communicate by files in the data folder. */
import { access, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type OpenDatabase, openDatabase } from "#server/platform/db/database.ts";
import { organizations } from "#server/platform/db/schema/accounts.ts";
import { createLog } from "#server/platform/log.ts";
import { emptyTarget, makeLock, type Target } from "#server/test/backups.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { requestSnapshot, serveSnapshots } from "../embedded-snapshot.ts";
import { makeBackup } from "../make-backup.ts";

let target: Target;
let database: OpenDatabase;
let dataDir: string;
let logged: string[];
beforeAll(async () => {
  target = await emptyTarget("embedded", await makeLock(), Buffer.alloc(32, 1));
  ({ dataDir } = target.config);
  await prepareDataFolder(dataDir);
  database = await openDatabase(target.config);
  // The server is another process, one that is alive.
  await writeFile(join(dataDir, "lock"), `${process.ppid} ${hostname()}\n`);
});
afterAll(async () => {
  await database.close();
  await target.remove();
});
beforeEach(() => {
  logged = [];
});

/** A server that looks for requests whenever its timer fires. */
function serve(opened: OpenDatabase = database): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const log = createLog("info", { write: (line: string) => void logged.push(line) });
  const stop = serveSnapshots(opened, dataDir, log);
  onTestFinished(async () => {
    await stop();
    vi.useRealTimers();
  });
}
const request = join("snapshot", "request");
const there = (name: string) =>
  access(join(dataDir, name)).then(
    () => true,
    () => false,
  );
const tick = async () => {
  await expect.poll(() => there(request), { interval: 10 }).toBe(true);
  vi.advanceTimersByTime(1000);
};

test("holds the rows that the server has committed, and leaves nothing in the data folder", async () => {
  await database.db.insert(organizations).values({ name: "Лавка" });
  serve();
  const file = join(dataDir, "kept", "one.age");
  const said: string[] = [];
  const making = makeBackup(target.config, file, { say: (line) => void said.push(line) });
  await tick();
  const made = await making;
  expect(made.rows).toBeGreaterThan(0);
  expect(said).toContain("Папку держит работающий сервер: прошу у него снимок базы…");
  expect(logged.join()).toContain("a snapshot for a backup was made");
  expect(await readdir(join(dataDir, "snapshot"))).toEqual([]);
  await rm(join(dataDir, "kept"), { recursive: true });
});

test("is refused with the server's reason when the server cannot make it", async () => {
  const broken = { ...database, db: { $client: { connect: () => Promise.reject(new Error("gone")) } } };
  serve(broken as unknown as OpenDatabase);
  const asked = expect(requestSnapshot(dataDir)).rejects.toThrow("Сервер не смог сделать снимок базы: см. его журнал.");
  await tick();
  await asked;
  await expect.poll(() => logged.join()).toContain("a snapshot for a backup failed");
  expect(await readdir(join(dataDir, "snapshot"))).toEqual([]);
});

test("is not waited for in vain: not of a server that does not answer, not after Ctrl-C, not beside another backup", async () => {
  await expect(requestSnapshot(dataDir, AbortSignal.abort(new Error("Ctrl-C")))).rejects.toThrow("Ctrl-C");
  let now = Date.now();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 40_000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
  await expect(requestSnapshot(dataDir)).rejects.toThrow("не отвечает. Остановите его и повторите.");
  await mkdir(join(dataDir, "snapshot"), { recursive: true });
  await writeFile(join(dataDir, "snapshot", "lock"), `${process.ppid} ${hostname()}\n`);
  await expect(requestSnapshot(dataDir)).rejects.toThrow("Другая копия уже создаётся: дождитесь её.");
  expect(await there(request)).toBe(false);
});
