/** A server that reports its state. */
import { afterEach, beforeEach } from "vitest";
import type { Health, HealthFactId } from "#contract/health.ts";
import { resetCounts } from "#server/platform/process/metrics.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;
export let chief: TestClient;

export const read = async (): Promise<Health> => (await chief.get("/api/admin/health")).json();
export const factOf = async (id: HealthFactId) => (await read()).facts.find((fact) => fact.id === id)!;
/** What was read counts for a few seconds. */
export const SOON = { timeout: 45_000, interval: 500 };

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareReport(): void {
  beforeEach(async () => {
    resetCounts();
    t = await testApp();
    chief = await t.signUp({ superAdmin: true });
  });
  afterEach(() => t.close());
}
