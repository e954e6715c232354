import { afterAll, beforeAll, expect, test } from "vitest";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const waiting = async (client: TestClient): Promise<number> =>
  (await client.get("/api/approvals/count")).json().waiting;

test("waiting answers are counted for the twin's owner and the administrators until they are decided", async () => {
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const owner = await t.signUp({ role: "user", organizationId });
  const things = await makeThings(t, owner);
  const all = (await owner.get("/api/approvals")).json().length;
  expect(all).toBeGreaterThan(0);
  expect(await waiting(owner)).toBe(all);
  expect(await waiting(admin)).toBe(all);
  // This role may read the list but decide on nothing in it.
  expect(await waiting(await t.signUp({ role: "user", organizationId }))).toBe(0);
  expect(await waiting(await t.signUp({ role: "viewer", organizationId }))).toBe(0);
  expect(await waiting(await t.signUp())).toBe(0);
  expect((await owner.post(`/api/approvals/${things.approvalId}/reject`)).statusCode).toBe(200);
  expect(await waiting(owner)).toBe(all - 1);
});
