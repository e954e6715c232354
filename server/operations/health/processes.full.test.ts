/** Processes that stop reporting, and backups of another machine, at the real speed of reports. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { recordBackup, recordFailure } from "#server/operations/backup/last-backup.ts";
import { lastBackups, serverProcesses } from "#server/platform/db/schema/operations.ts";
import {
  factOf,
  prepareProcesses,
  read,
  rowsOf,
  SOON,
  setStop,
  stop,
  TOKEN,
  web,
  worker,
} from "#server/test/health/processes-bench.ts";
import { reportProcess, startReporting } from "./processes.ts";

prepareProcesses();

const silentFor = (seconds: number) =>
  web.services.db
    .update(serverProcesses)
    .set({ reportedAt: sql`now() - make_interval(secs => ${seconds})` })
    .where(eq(serverProcesses.id, worker.self.id));

test("all processes are listed; one that ends in order goes, and one that tells nothing is named and then forgotten", async () => {
  await expect
    .poll(() => factOf("server"), SOON)
    .toMatchObject({ state: "failure", summary: "Задания некому выполнять: нет процесса с ROLE=worker" });
  setStop(startReporting(worker));
  const listed = async () => (await read()).processes.map(({ role, host, state }) => `${role} ${host} ${state}`);
  const self = `web ${web.services.self.host} ok`;
  await expect.poll(listed, SOON).toEqual([self, "worker machine-2 ok"]);
  expect(await factOf("server")).toMatchObject({ state: "ok", summary: "Все процессы на месте" });
  expect((await read()).processes.map(({ answers }) => answers)).toEqual([true, false]);
  await silentFor(70);
  await expect.poll(listed, SOON).toEqual([self, "worker machine-2 attention"]);
  const told = (await read()).processes[1]!;
  expect(told.silentSeconds).toBeGreaterThanOrEqual(70);
  await reportProcess(worker.db, { ...worker.self, id: randomUUID(), host: "machine-3" });
  const named = `Не сообщает о себе: machine-2, задания, ${process.pid}`;
  await expect.poll(() => factOf("server"), SOON).toMatchObject({ state: "attention", summary: named });
  await silentFor(6 * 60);
  await reportProcess(worker.db, { ...worker.self, id: randomUUID(), host: "machine-4" });
  await expect.poll(async () => (await listed()).some((each) => each.includes("machine-2")), SOON).toBe(false);
  await reportProcess(worker.db, worker.self);
  await stop!();
  expect(await worker.db.select().from(serverProcesses).where(eq(serverProcesses.id, worker.self.id))).toEqual([]);
});

test("a backup that a worker has made on its machine is known to all, and outlives that machine", async () => {
  await expect.poll(() => factOf("backup"), SOON).toMatchObject({ summary: /включают при установке/ });
  const at = new Date(Date.now() - 3 * 3_600_000);
  const made = { at, file: "/backups/one.age", bytes: 7 * 1024 ** 2, seconds: 2, verified: true };
  await recordBackup(worker.config.dataDir, made);
  setStop(startReporting(worker));
  await expect.poll(() => factOf("backup"), SOON).toMatchObject({ state: "ok", summary: "Копии делаются" });
  expect(await rowsOf("backup")).toMatchObject({
    Последняя: "3\u00a0ч\u00a00\u00a0мин\u00a0назад",
    Размер: "7\u00a0МБ",
    "Раз в": "6 ч",
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const metrics = await web.anonymous.inject({ method: "GET", url: "/metrics", headers });
  const age = /^twins_backup_age_seconds\{outcome="made"\} (\S+)$/m.exec(metrics.body);
  expect(Number(age?.[1])).toBeGreaterThan(3 * 3600 - 1);
  expect(metrics.body).not.toContain('outcome="failed"} ');
  await stop!();
  await recordFailure(worker.config.dataDir, "На диске нет места");
  setStop(startReporting(worker));
  await expect
    .poll(() => factOf("backup"), SOON)
    .toMatchObject({ state: "failure", summary: "Последняя попытка не удалась" });
  await stop!();
  // Its data folder is gone with the machine.
  await rm(worker.config.dataDir, { recursive: true, force: true });
  await expect.poll(() => rowsOf("backup"), SOON).toMatchObject({ Причина: "На диске нет места", Размер: "7\u00a0МБ" });
  // An older report of another machine changes nothing.
  setStop(startReporting({ ...worker, config: { dataDir: await mkdtemp(join(tmpdir(), "dt-worker-")) } }));
  expect((await worker.db.select().from(lastBackups)).map(({ host }) => host)).toEqual(["machine-2", "machine-2"]);
});
