import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_TOKEN } from "#contract/organizations/auth.ts";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { readConfig } from "#server/platform/config.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { ensureDemoUser } from "../demo-user.ts";

const FAKE = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
const bearer = { authorization: `Bearer ${DEMO_TOKEN}` };

describe("in demo mode", () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ demo: true });
  });
  afterAll(() => t.close());
  const verifyFixed = () => t.anonymous.inject({ url: "/api/auth/verify", headers: bearer });

  test("the fake messenger login signs in as the demo user of organisation «Демо»", async () => {
    const answer = await t.anonymous.post("/api/auth/telegram", FAKE);
    expect(answer.statusCode).toBe(200);
    const { user, token } = answer.json();
    expect(user).toMatchObject({ fullName: "Test User", username: "testuser", photo_url: null, role: "org_admin" });
    expect(user.superAdmin).toBe(false);
    const { userId, organizationId } = await ensureDemoUser(t.services.db);
    expect(user).toMatchObject({ id: userId, organizationId });
    const verify = await t.anonymous.inject({
      url: "/api/auth/verify",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(verify.json().user).toEqual(user);
  });

  test("the fixed token is the demo user's too, and survives a logout", async () => {
    const { userId } = await ensureDemoUser(t.services.db);
    expect((await verifyFixed()).json().user.id).toBe(userId);
    const logout = await t.anonymous.inject({ method: "POST", url: "/api/auth/logout", headers: bearer });
    expect(logout.statusCode).toBe(200);
    expect((await verifyFixed()).statusCode).toBe(200);
  });

  test("an unsigned login signs in nobody but the demo user", async () => {
    expect((await t.anonymous.post("/api/auth/telegram", { ...FAKE, id: 123456788 })).statusCode).toBe(401);
    expect((await t.anonymous.post("/api/auth/telegram", { ...FAKE, hash: "0".repeat(64) })).statusCode).toBe(401);
    const forged = { ...FAKE, first_name: "Чужое имя", superAdmin: true, role: "org_admin" };
    const { user } = (await t.anonymous.post("/api/auth/telegram", forged)).json();
    expect(user).toMatchObject({ firstName: "Test", superAdmin: false });
  });

  test("a similar token is refused", async () => {
    for (const token of [`${DEMO_TOKEN}x`, "demo-token", "null"]) {
      const answer = await t.anonymous.inject({
        url: "/api/auth/verify",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.statusCode).toBe(401);
    }
  });

  test("the fixed token has the present role, and survives a removal from «Демо»", async () => {
    const { userId, organizationId } = await ensureDemoUser(t.services.db);
    const admin = await t.signUp({ organizationId });
    const path = `/api/organizations/${organizationId}/users/${userId}`;
    await admin.put(path, { role: "viewer" });
    expect((await verifyFixed()).json().user.role).toBe("viewer");
    const change = await t.anonymous.inject({
      method: "POST",
      url: "/api/auth/organization",
      headers: bearer,
      payload: { organizationId },
    });
    expect(change.json().code).toBe("no_session");
    expect((await admin.delete(path)).statusCode).toBe(204);
    const { user } = (await verifyFixed()).json();
    expect(user).toMatchObject({ id: userId, role: "org_admin" });
    expect(user.organizationId).not.toBe(organizationId);
  });

  test("the public configuration says that demo mode is on", async () => {
    expect((await t.anonymous.get("/api/config")).json()).toEqual({
      demo: true,
      letters: "log",
      telegramBot: null,
      engine: "embedded",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      passkeyHost: "localhost",
      operator: null,
    });
  });
});

test("the demo user is created once, however many ask at once", async () => {
  const t = await testApp({ demo: true });
  try {
    const made = await Promise.all(Array.from({ length: 6 }, () => ensureDemoUser(t.services.db)));
    expect(new Set(made.map(({ userId }) => userId)).size).toBe(1);
    expect(await t.services.db.$count(users)).toBe(1);
    expect(await t.services.db.$count(organizations)).toBe(1);
  } finally {
    await t.close();
  }
});

describe("in production", () => {
  let t: TestApp;
  beforeAll(async () => {
    const production = readConfig({
      NODE_ENV: "production",
      PUBLIC_URL: "https://twins.example",
      SMTP_URL: "smtp://127.0.0.1:9",
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      LOG_LEVEL: "silent",
    });
    const { dataDir: _, ...rest } = production;
    t = await testApp(rest);
    // The demo sign-in is refused even when the demo user is still in the database.
    await ensureDemoUser(t.services.db);
  });
  afterAll(() => t.close());

  test("neither the fake login nor the fixed token is accepted", async () => {
    const fake = await t.anonymous.post("/api/auth/telegram", FAKE);
    expect(fake.statusCode).toBe(401);
    const fixed = await t.anonymous.inject({ url: "/api/auth/verify", headers: bearer });
    expect(fixed.statusCode).toBe(401);
    expect((await t.anonymous.get("/api/config")).json().demo).toBe(false);
  });

  test("demo mode cannot be switched on", () => {
    expect(() =>
      readConfig({ NODE_ENV: "production", DEMO: "1", MASTER_KEY: Buffer.alloc(32).toString("base64") }),
    ).toThrow(/DEMO/);
  });

  test("the session cookie is __Host- and Secure", async () => {
    const answer = await t.anonymous.inject({
      method: "POST",
      url: "/api/auth/email/register",
      payload: { email: "ann@example.test", password: "верный пароль", consent: CONSENT_VERSION },
      headers: { "sec-fetch-site": "same-origin" },
    });
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: "__Host-session", secure: true, httpOnly: true, path: "/" });
    expect(cookie!.domain).toBeUndefined();
    const whole = await t.anonymous.inject({
      url: "/api/auth/verify",
      headers: { authorization: `Bearer ${answer.json().token}` },
      cookies: { "__Host-session": cookie!.value },
    });
    expect(whole.statusCode).toBe(200);
  });
});
