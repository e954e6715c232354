import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_TOKEN } from "#contract/organizations/auth.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { DEMO_TELEGRAM_ID, isDemoInstaller } from "./demo-installer.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ demo: true });
});
afterAll(() => t.close());

const asDemo = (url: string) =>
  t.anonymous.inject({ method: "GET", url, headers: { authorization: `Bearer ${DEMO_TOKEN}` } });

test("on the embedded database the demo user runs the installation, and nothing else of the platform", async () => {
  expect((await asDemo("/api/admin/models")).statusCode).toBe(200);
  expect((await asDemo("/api/admin/platform/stats")).statusCode).toBe(403);
  expect((await asDemo("/api/auth/verify")).json().user).toMatchObject({ superAdmin: false, runsInstallation: true });
});

test("another user signed in there does not run it, and the platform's administrator does", async () => {
  expect((await (await t.signUp()).get("/api/admin/models")).statusCode).toBe(403);
  expect((await (await t.signUp({ superAdmin: true })).get("/api/admin/models")).statusCode).toBe(200);
});

test("on a shared database or outside demo mode the demo user runs nothing", () => {
  const embedded = { demo: true, databaseUrl: null };
  expect(isDemoInstaller(DEMO_TELEGRAM_ID, embedded)).toBe(true);
  expect(isDemoInstaller("987654321", embedded)).toBe(false);
  expect(isDemoInstaller(DEMO_TELEGRAM_ID, { ...embedded, demo: false })).toBe(false);
  expect(isDemoInstaller(DEMO_TELEGRAM_ID, { ...embedded, databaseUrl: "postgres://db/twins" })).toBe(false);
});
