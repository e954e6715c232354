/** What waits for an owner. */
import { afterAll, beforeAll } from "vitest";
import type { Waiting } from "#contract/analytics.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;

export const waitingFor = async (client: TestClient) => (await client.get("/api/dashboard/waiting")).json<Waiting>();

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareWaiting(): void {
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
}
