import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { NewerDatabase } from "#server/platform/db/check-database.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { emptyTarget, makeLock } from "#server/test/backups.ts";
import { withMigrations, withoutLast } from "#server/test/planted-migrations.ts";
import { startServer } from "#server/test/processes/child-server.ts";
import { GOOD, openUpgradeBench, rowsOf, type UpgradeBench, upgrade } from "#server/test/upgrade-bench.ts";
import { restoreBackup } from "./restore-backup.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
let lock: UpgradeBench["lock"];
let target: UpgradeBench["target"];
let config: UpgradeBench["config"];
let before: UpgradeBench["before"];
let close: UpgradeBench["close"];
beforeAll(async () => {
  ({ lock, target, config, before, close } = await openUpgradeBench((...given) => emptyTarget(engine, ...given)));
});
afterAll(() => close());

const withMigration = (tag: string, statements: string) => withMigrations({ [tag]: statements });

test("an upgrade makes a backup first, loses no row, and the former version refuses the database and restores that backup", async () => {
  const planted = await withMigration("planted", GOOD);
  const said: string[] = [];
  await upgrade(planted, config, said);
  expect(said[0]).toContain("Сначала копия");
  const { organizations: changed, ...others } = await target.digests();
  const { organizations: former, ...same } = before;
  expect(others).toEqual(same);
  expect(changed).not.toBe(former);
  const wrong = "select count(*)::int as wrong from organizations where planted is distinct from name || '!'";
  expect(await rowsOf(config, wrong)).toEqual([{ wrong: 0 }]);
  await upgrade(planted, config, said);
  const [file, ...more] = await readdir(config.backup.folder!);
  expect(more).toEqual([]);

  await expect(openDatabase(config)).rejects.toThrow(NewerDatabase);

  const kept = join(config.backup.folder!, file!);
  const back = await emptyTarget("embedded", lock, Buffer.alloc(32, 1));
  const ahead = await emptyTarget("embedded", lock, Buffer.alloc(32, 1));
  try {
    await restoreBackup(back.config, kept, { goOn: true, say: () => {} });
    const { master_keys: _, ...restored } = await back.digests();
    const { master_keys: __, ...expected } = before;
    expect(restored).toEqual(expected);
    // The newer version migrates the same file.
    await restoreBackup(ahead.config, kept, { goOn: true, say: () => {}, migrationsFolder: planted });
    expect((await ahead.digests()).organizations).toBe(changed);
    expect(await rowsOf(ahead.config, wrong)).toEqual([{ wrong: 0 }]);
  } finally {
    await back.remove();
    await ahead.remove();
  }
});

/** Among several processes of a new version, the one that makes backups upgrades the database. */
const script = new URL("../../../scripts/free-port.mjs", import.meta.url).href;
const { freePort } = (await import(script)) as { freePort: () => Promise<number> };
const SOON = { timeout: 120_000, interval: 200 };

test.skipIf("path" in inject("databaseSnapshot"))(
  "a web process that is first leaves the upgrade to the worker with the backups, and says on /readyz why it is not ready",
  async () => {
    const target = await emptyTarget("postgres", await makeLock());
    const cwd = await mkdtemp(join(tmpdir(), "dt-upgrade-roles-"));
    onTestFinished(async () => {
      await target.remove();
      await rm(cwd, { recursive: true, force: true });
    });
    const { databaseUrl, backup } = target.config;
    await openDatabase({ ...target.config, migrationsFolder: await withoutLast(1) }).then(({ close }) => close());

    const port = await freePort();
    const backups = join(cwd, "backups");
    const given = {
      ...{ DATABASE_URL: databaseUrl!, DATABASE_POOL: "5", MASTER_KEY: Buffer.alloc(32, 1).toString("base64") },
      ...{ DATA_DIR: join(cwd, "data"), DEMO: "0", LOG_LEVEL: "warn" },
    };
    const starting = startServer({ ...given, ROLE: "web", PORT: String(port) }, cwd);
    let ready = false;
    void starting.then(
      () => {
        ready = true;
      },
      () => {},
    );
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
      return answer && { status: answer.status, body: await answer.json() };
    };
    await expect
      .poll(() => ask("/readyz"), SOON)
      .toMatchObject({
        status: 503,
        body: { code: "upgrading", checks: ["upgrading"], message: expect.stringContaining("обновляется") },
      });
    expect(await ask("/healthz")).toEqual({ status: 200, body: { status: "ok" } });
    expect(await ask("/api/config")).toMatchObject({ status: 503, body: { code: "upgrading" } });
    expect(ready).toBe(false);

    const upgraded = { BACKUP_FOLDER: backups, BACKUP_RECIPIENT: backup.recipient! };
    const worker = await startServer({ ...given, ...upgraded, ROLE: "worker" }, cwd);
    onTestFinished(async () => void (await worker.end("SIGKILL")));
    const web = await starting;
    onTestFinished(async () => void (await web.end("SIGKILL")));
    await expect.poll(() => ask("/readyz"), SOON).toMatchObject({ status: 200 });
    const made = await readdir(backups);
    expect(made.filter((name) => name.startsWith("before-upgrade-"))).toHaveLength(1);
    const { stdout } = await web.end("SIGTERM");
    expect(stdout).toMatch(/^База ещё не обновлена \(изменений: 1\)/);
  },
);
