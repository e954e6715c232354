import { createHash, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownDevices, loginFailures, users } from "#server/platform/db/schema/accounts.ts";
import { openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { ACCOUNT_WINDOW_MS, FREE_TRIES, LONGEST_WAIT_MS } from "./login-limit.ts";

const PASSWORD = "верный пароль";
const BROWSER = { "sec-fetch-site": "same-origin" };

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  openMailbox(t.services);
});
afterAll(() => t.close());

let place = 0;
const login = (email: string, password: string, more: Pick<InjectOptions, "headers" | "cookies"> = {}) =>
  t.app.inject({
    method: "POST",
    url: "/api/auth/email/login",
    payload: { email, password },
    remoteAddress: `198.51.${Math.floor(++place / 200)}.${place % 200}`,
    ...more,
  });

async function person(): Promise<{ email: string; userId: string }> {
  const email = `${randomUUID()}@example.test`;
  const answer = await t.anonymous.post("/api/auth/email/register", { email, password: PASSWORD });
  return { email, userId: answer.json().user.id };
}

async function guess(email: string): Promise<void> {
  for (let i = 0; i < FREE_TRIES; i++) expect((await login(email, "догадка")).statusCode).toBe(401);
}
const passes = async (ms: number) => {
  for (const { id, at } of await t.services.db.select().from(loginFailures)) {
    await t.services.db
      .update(loginFailures)
      .set({ at: new Date(at.getTime() - ms) })
      .where(eq(loginFailures.id, id));
  }
};
const waitOf = (answer: LightMyRequestResponse) => Number(answer.headers["retry-after"]);

/** Records this many failed tries in a row, the last of them now. */
async function fail(email: string, times: number): Promise<void> {
  const { db } = t.services;
  const key = createHash("sha256").update(`account\n${email}`).digest("hex");
  expect(await db.$count(loginFailures, eq(loginFailures.key, key))).toBeGreaterThan(0);
  await db.insert(loginFailures).values(Array.from({ length: times }, () => ({ key })));
}

test("guesses at one account from many addresses wait longer and longer, and the answer is the same for an unknown account", async () => {
  const { email } = await person();
  const said: unknown[] = [];
  for (const account of [email, `${randomUUID()}@example.test`]) {
    await guess(account);
    const waits: number[] = [];
    for (const times of [6, 1, 1, 20]) {
      await fail(account, times);
      const refused = await login(account, "догадка");
      expect(refused.statusCode).toBe(429);
      waits.push(waitOf(refused));
      const { requestId: _, ...words } = refused.json();
      said.push(words);
    }
    // With n failures beyond the free tries the wait is 2ⁿ seconds, reduced by the elapsed time, up to the maximum.
    for (const [place, most] of [64, 128, 256, LONGEST_WAIT_MS / 1000].entries()) {
      expect(waits[place]).toBeLessThanOrEqual(most);
      expect(waits[place]).toBeGreaterThan(most / 2);
    }
  }
  expect(new Set(said.map((words) => JSON.stringify(words))).size).toBe(1);
});

test("a try that is refused during the wait is not counted, so the wait cannot be prolonged by trying", async () => {
  const { email } = await person();
  await guess(email);
  await fail(email, 6);
  for (let time = 0; time < 5; time++) expect(waitOf(await login(email, "догадка"))).toBeLessThanOrEqual(64);
  await passes(64_000);
  expect((await login(email, PASSWORD)).statusCode).toBe(200);
});

test("a wait lasts a quarter of an hour at most, and a day later all failures are forgotten", async () => {
  const { email } = await person();
  await guess(email);
  await fail(email, 40);
  expect(waitOf(await login(email, PASSWORD))).toBeLessThanOrEqual(LONGEST_WAIT_MS / 1000);
  await passes(LONGEST_WAIT_MS);
  expect((await login(email, PASSWORD)).statusCode).toBe(200);
  await guess(email);
  await fail(email, 10);
  await passes(ACCOUNT_WINDOW_MS);
  for (let time = 0; time < 3; time++) expect((await login(email, "догадка")).statusCode).toBe(401);
});

test("a browser that has opened the account before need not wait; one that knows only another account must", async () => {
  const { email, userId } = await person();
  const first = await login(email, PASSWORD, { headers: BROWSER });
  const device = first.cookies.find(({ name }) => name === "device")!;
  expect(device).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  const rows = await t.services.db.select().from(knownDevices).where(eq(knownDevices.userId, userId));
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(device.value);
  await guess(email);
  await fail(email, 10);
  expect((await login(email, PASSWORD)).statusCode).toBe(429);
  const other = await person();
  const theirs = (await login(other.email, PASSWORD, { headers: BROWSER })).cookies.find(
    ({ name }) => name === "device",
  )!;
  expect((await login(email, PASSWORD, { cookies: { device: theirs.value } })).statusCode).toBe(429);
  expect((await login(email, PASSWORD, { cookies: { device: device.value }, headers: BROWSER })).statusCode).toBe(200);
  // The device cookie alone grants nothing and does not lift the limit of five tries per address.
  expect((await login(email, "догадка", { cookies: { device: device.value } })).statusCode).toBe(401);
});

test("a new password forgets the browsers that knew the old one", async () => {
  const { email, userId } = await person();
  await login(email, PASSWORD, { headers: BROWSER });
  await t.services.db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, userId));
  const mailbox = openMailbox(t.services);
  await t.anonymous.post("/api/auth/email/forgot", { email });
  const token = await mailbox.tokenTo(email);
  expect((await t.anonymous.post("/api/auth/email/reset", { token, password: "совсем другой" })).statusCode).toBe(200);
  expect(await t.services.db.select().from(knownDevices).where(eq(knownDevices.userId, userId))).toEqual([]);
});

test.each(["register", "reset", "accept"])(
  "a password that is guessed first is refused by %s with a sentence at its field",
  async (way) => {
    const mailbox = openMailbox(t.services);
    const email = `${randomUUID()}@example.test`;
    let answer: { statusCode: number; json(): { code: string; fields: Record<string, string> } };
    if (way === "register") {
      answer = await t.anonymous.post("/api/auth/email/register", { email, password: "Пароль2026!" });
    } else if (way === "reset") {
      await t.anonymous.post("/api/auth/email/register", { email, password: PASSWORD });
      mailbox.letters.length = 0;
      await t.anonymous.post("/api/auth/email/forgot", { email });
      const token = await mailbox.tokenTo(email);
      answer = await t.anonymous.post("/api/auth/email/reset", { token, password: `${email}1` });
      // The refused password does not use the link up.
      expect((await t.anonymous.post("/api/auth/email/reset", { token, password: "совсем другой" })).statusCode).toBe(
        200,
      );
    } else {
      const admin = await t.signUp();
      await admin.post(`/api/organizations/${admin.caller.organizationId}/users`, { email });
      answer = await t.anonymous.post("/api/auth/invitation/accept", {
        token: await mailbox.tokenTo(email),
        password: "qwerty12345",
      });
    }
    expect(answer.statusCode).toBe(400);
    expect(answer.json().code).toBe("weak_password");
    expect(answer.json().fields.password).toMatch(/подберут|не должен повторять/);
  },
);
