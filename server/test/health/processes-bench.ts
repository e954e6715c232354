/** A web process, and a worker on another machine that reports itself. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Health, HealthFactId } from "#contract/health.ts";
import { type ProcessFigures, type ReportingDeps, thisProcess } from "#server/operations/health/processes.ts";
import { createLog } from "#server/platform/log.ts";
import { resetCounts } from "#server/platform/process/metrics.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const TOKEN = "metrics-token-of-the-test";
export const SOON = { timeout: 45_000, interval: 500 };
const BACKUP = {
  folder: "/backups",
  hours: 6,
  kept: 7,
  keptUpgrades: 3,
  passphrase: "p",
  recipient: null,
  identity: null,
};

export let web: TestApp;
let chief: TestClient;
export let worker: ReportingDeps & { config: { dataDir: string } };
let figures: Partial<ProcessFigures>;
export let stop: (() => Promise<void>) | null;

export const read = async (): Promise<Health> => (await chief.get("/api/admin/health")).json();
export const factOf = async (id: HealthFactId) => (await read()).facts.find((fact) => fact.id === id)!;
export const rowsOf = async (id: HealthFactId) =>
  Object.fromEntries((await factOf(id)).rows.map(({ name, value }) => [name, value]));

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareProcesses(): void {
  beforeEach(async () => {
    resetCounts();
    web = await testApp({ role: "web", metricsToken: TOKEN });
    chief = await web.signUp({ superAdmin: true });
    figures = {};
    const known = thisProcess({ role: "worker", backup: BACKUP });
    const self = { ...known, host: "machine-2", figures: () => ({ ...known.figures(), ...figures }) };
    const dataDir = await mkdtemp(join(tmpdir(), "dt-worker-"));
    worker = { config: { dataDir }, db: web.services.db, self, log: createLog("silent") };
    stop = null;
  });
  afterEach(async () => {
    await stop?.();
    await web.close();
    await rm(worker.config.dataDir, { recursive: true, force: true });
  });
}

export function setFigures(value: Partial<ProcessFigures>): void {
  figures = value;
}

export function setStop(value: (() => Promise<void>) | null): void {
  stop = value;
}
