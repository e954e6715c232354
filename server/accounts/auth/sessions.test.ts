import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memberships, sessions, users } from "#server/platform/db/schema/accounts.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { createSession, endAllSessions, hashToken } from "./sessions.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const verify = (headers: Record<string, string>, cookies: Record<string, string> = {}) =>
  t.app.inject({ method: "GET", url: "/api/auth/verify", headers, cookies });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const age = (token: string, change: Partial<typeof sessions.$inferInsert>) =>
  t.services.db
    .update(sessions)
    .set(change)
    .where(eq(sessions.tokenHash, hashToken(token)));
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function boundSession() {
  const ann = await t.signUp();
  const session = await createSession(t.services.db, { ...ann.caller, bound: true });
  return { ann, token: session.token, cookie: session.cookie! };
}

describe("a browser's session", () => {
  test("needs the bearer token and the cookie that was made with it", async () => {
    const { token, cookie, ann } = await boundSession();
    const whole = await verify(bearer(token), { session: cookie });
    expect(whole.statusCode).toBe(200);
    expect(whole.json().user.id).toBe(ann.caller.userId);
  });

  test("cannot be used with a stolen bearer token alone", async () => {
    const { token } = await boundSession();
    expect((await verify(bearer(token))).statusCode).toBe(401);
  });

  test("cannot be used with the cookie alone", async () => {
    const { cookie } = await boundSession();
    expect((await verify({}, { session: cookie })).statusCode).toBe(401);
    expect((await verify(bearer(cookie), { session: cookie })).statusCode).toBe(401);
  });

  test("cannot be used with the cookie of another session of the same user", async () => {
    const { token, ann } = await boundSession();
    const other = await createSession(t.services.db, { ...ann.caller, bound: true });
    expect((await verify(bearer(token), { session: other.cookie! })).statusCode).toBe(401);
  });
});

describe("a session", () => {
  test("is stored as hashes only", async () => {
    const { token, cookie, ann } = await boundSession();
    const rows = await t.services.db.select().from(sessions).where(eq(sessions.userId, ann.caller.userId));
    const stored = JSON.stringify(rows);
    expect(stored).toContain(hashToken(token));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(cookie);
  });

  test.each(["", "Bearer", "Bearer ", "Basic abc", "Bearer null", "Bearer undefined", "Bearer a b"])(
    "does not come from the header «%s»",
    async (authorization) => {
      expect((await verify({ authorization })).statusCode).toBe(401);
    },
  );

  test("cannot be entered with its stored hash", async () => {
    const ann = await t.signUp();
    expect((await verify(bearer(hashToken(ann.token)))).statusCode).toBe(401);
  });

  test("ends after a day without use and continues when used", async () => {
    const ann = await t.signUp();
    await age(ann.token, { lastSeenAt: hoursAgo(23.9) });
    expect((await ann.get("/api/auth/verify")).statusCode).toBe(200);
    const [row] = await t.services.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashToken(ann.token)));
    expect(row!.lastSeenAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await age(ann.token, { lastSeenAt: hoursAgo(24.1) });
    expect((await ann.get("/api/auth/verify")).statusCode).toBe(401);
  });

  test("is written to at most once a minute", async () => {
    const ann = await t.signUp();
    const seen = new Date(Date.now() - 40_000);
    await age(ann.token, { lastSeenAt: seen });
    await ann.get("/api/auth/verify");
    const [row] = await t.services.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashToken(ann.token)));
    expect(row!.lastSeenAt).toEqual(seen);
  });

  test("ends 30 days after it began, however much it is used", async () => {
    const ann = await t.signUp();
    const [row] = await t.services.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashToken(ann.token)));
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBeLessThanOrEqual(30 * 24 * 3_600_000 + 5000);
    await age(ann.token, { expiresAt: new Date(Date.now() - 1000) });
    expect((await ann.get("/api/auth/verify")).statusCode).toBe(401);
  });

  test("ends with the logout, which clears the cookie", async () => {
    const ann = await t.signUp();
    const logout = await ann.post("/api/auth/logout");
    expect(logout.json()).toEqual({ success: true });
    expect(logout.cookies[0]).toMatchObject({ name: "session", value: "", path: "/" });
    expect((await ann.get("/api/auth/verify")).statusCode).toBe(401);
  });

  test("has a changed role from the next request on", async () => {
    const ann = await t.signUp({ role: "org_admin" });
    await t.services.db.update(memberships).set({ role: "viewer" }).where(eq(memberships.userId, ann.caller.userId));
    expect((await ann.get("/api/auth/verify")).json().user.role).toBe("viewer");
  });

  test("ends when its user is removed from the organisation or deleted", async () => {
    const ann = await t.signUp();
    await t.services.db.delete(memberships).where(eq(memberships.userId, ann.caller.userId));
    expect((await ann.get("/api/auth/verify")).statusCode).toBe(401);
    const bob = await t.signUp();
    await t.services.db.delete(users).where(eq(users.id, bob.caller.userId));
    expect((await bob.get("/api/auth/verify")).statusCode).toBe(401);
  });

  test("can be kept when all other sessions of the user end", async () => {
    const ann = await t.signUp();
    const other = await createSession(t.services.db, { ...ann.caller, bound: false });
    const [kept] = await t.services.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashToken(ann.token)));
    await endAllSessions(t.services.db, ann.caller.userId, kept!.id);
    expect((await ann.get("/api/auth/verify")).statusCode).toBe(200);
    expect((await verify(bearer(other.token))).statusCode).toBe(401);
  });
});
