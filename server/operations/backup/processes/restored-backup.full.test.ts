/** Restored servers that wait before they send, and backups from untrusted sources. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { decryptionKeyOf } from "#server/operations/backup/age-file.ts";
import { BackupError } from "#server/operations/backup/backup-error.ts";
import { readBackup } from "#server/operations/backup/read-backup.ts";
import { restoreBackup } from "#server/operations/backup/restore-backup.ts";
import {
  embedded,
  file,
  folder,
  forged,
  lock,
  manifestWith,
  prepareBackup,
  prepareRestoreTarget,
  quiet,
  restoredOf,
  state,
  t,
  target,
} from "#server/test/backup/backup-bench.ts";
import { backUp, initialisedTarget } from "#server/test/backups.ts";

prepareBackup();

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

describe("a restore", () => {
  prepareRestoreTarget();

  test("sends nothing by itself that the other server may have sent since", async () => {
    // The server already has files.
    await restoreBackup(target.config, file, quiet());
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
    // The former files are renamed, not deleted.
    expect((await readdir(target.config.dataDir)).filter((name) => name.startsWith("uploads.before-"))).toHaveLength(1);
  });
});

// The format is the same for both engines.
describe.runIf(embedded)("the file", () => {
  test("that a stranger has made writes outside no folder and into no other table", async () => {
    const { manifest } = await readBackup(file, decryptionKeyOf({ ...lock }));
    const renamed = (name: string) =>
      forged((entry) => (entry.name.startsWith("files/empty/") ? [{ ...entry, name }] : [entry]));
    // The writer refuses a path with dots, but the reader must not rely on that.
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
});
