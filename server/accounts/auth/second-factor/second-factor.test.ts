import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { hashPassword } from "#server/accounts/credentials/passwords.ts";
import {
  auditLog,
  loginFailures,
  recoveryCodes,
  secondFactors,
  sessions,
  signInChallenges,
  users,
} from "#server/platform/db/schema/accounts.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { hashToken } from "../sessions.ts";

const PASSWORD = "медь и патина 7";

let t: TestApp;
let mailbox: Mailbox;
let passwordHash: string;
beforeAll(async () => {
  t = await testApp();
  // The clock is frozen: the three accepted codes depend on the half minute, which must not end in the middle of a test.
  vi.useFakeTimers({ toFake: ["Date"] });
  mailbox = openMailbox(t.services);
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(async () => {
  vi.useRealTimers();
  await t.close();
});

async function ann() {
  const client = await t.signUp();
  const { userId } = client.caller;
  const email = `${randomUUID()}@example.test`;
  await t.services.db
    .update(users)
    .set({ email, emailConfirmedAt: new Date(), passwordHash })
    .where(eq(users.id, userId));
  const { secret } = (await client.post("/api/account/totp")).json();
  let used = TOTP.counter() - 2;
  /** Returns the next unused code among the three that are accepted. */
  const code = () => {
    used++;
    return codeAt(secret, used);
  };
  const on = await client.post("/api/account/totp/confirm", { code: code() });
  expect(on.statusCode, on.body).toBe(200);
  const codes: string[] = on.json().recoveryCodes;
  return { client, userId, email, secret, code, codes };
}

const login = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  t.app.inject({ method: "POST", url: "/api/auth/email/login", payload: { email, password }, headers });
const second = (body: object, headers: Record<string, string> = {}) =>
  t.app.inject({ method: "POST", url: "/api/auth/second-factor", payload: body, headers });
const challengeOf = async (email: string) => (await login(email)).json().secondFactor.challenge as string;
const age = (userId: string, ms: number) =>
  t.services.db
    .update(sessions)
    .set({ identityConfirmedAt: new Date(Date.now() - ms) })
    .where(eq(sessions.userId, userId));

const codeAt = (secret: string, step: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: step * 30_000 });

describe("an account with an authenticator app", () => {
  let a: Awaited<ReturnType<typeof ann>>;
  beforeEach(async () => {
    a = await ann();
    await t.services.db.delete(loginFailures);
  });

  test("is opened by the password and a code together, and by neither alone", async () => {
    const first = await login(a.email);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ success: false, secondFactor: { challenge: expect.any(String) } });
    expect(first.body).not.toContain('"token"');
    const { challenge } = first.json().secondFactor;
    expect((await second({ challenge: "x".repeat(43), code: a.code() })).statusCode).toBe(401);
    const entered = await second({ challenge, code: a.code() });
    expect(entered.statusCode, entered.body).toBe(200);
    const headers = { authorization: `Bearer ${entered.json().token}` };
    expect((await t.anonymous.inject({ url: "/api/auth/verify", headers })).json().user.id).toBe(a.userId);
    expect((await second({ challenge, recoveryCode: a.codes[0]! })).statusCode).toBe(401);
  });

  test("answers a wrong password like any other account, so its second step is not revealed", async () => {
    const plain = await t.signUp();
    const email = `${randomUUID()}@example.test`;
    await t.services.db.update(users).set({ email, passwordHash }).where(eq(users.id, plain.caller.userId));
    const answers = [await login(a.email, "не тот"), await login(email, "не тот")].map((answer) => {
      const { requestId: _, ...body } = answer.json();
      return { status: answer.statusCode, body };
    });
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(401);
  });

  test("accepts no code twice, for whatever purpose", async () => {
    const code = a.code();
    expect((await second({ challenge: await challengeOf(a.email), code })).statusCode).toBe(200);
    const again = await second({ challenge: await challengeOf(a.email), code });
    expect([again.statusCode, again.json().code]).toEqual([401, "wrong_code"]);
  });

  test("accepts five wrong codes in a quarter of an hour from any addresses, and its owner is told", async () => {
    for (let tries = 0; tries < 5; tries++) {
      const challenge = (await login(a.email)).json().secondFactor.challenge;
      const wrong = codeAt(a.secret, 1000 + tries);
      expect((await second({ challenge, code: wrong })).statusCode).toBe(401);
    }
    const challenge = await challengeOf(a.email);
    expect((await second({ challenge, code: a.code() })).statusCode).toBe(429);
    expect((await mailbox.letterTo(a.email)).subject).toBe("Кто-то знает ваш пароль");
    // The count belongs to the account and outlives challenges; recovery codes are counted separately and still work.
    expect((await second({ challenge, recoveryCode: a.codes[1]!.toLowerCase() })).statusCode).toBe(200);
  });

  test("is opened by each recovery code once, and the letter says how many are left", async () => {
    const recoveryCode = a.codes[0]!;
    expect(a.codes).toHaveLength(10);
    expect((await second({ challenge: await challengeOf(a.email), recoveryCode })).statusCode).toBe(200);
    await expect
      .poll(() => mailbox.letters.some(({ to, text }) => to === a.email && text.includes("Осталось кодов: 9")))
      .toBe(true);
    expect((await second({ challenge: await challengeOf(a.email), recoveryCode })).statusCode).toBe(401);
    const stored = JSON.stringify(
      await t.services.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, a.userId)),
    );
    for (const code of a.codes) expect(stored).not.toContain(code.replaceAll("-", ""));
  });

  test("keeps its secret sealed and never shows it again", async () => {
    const [row] = await t.services.db.select().from(secondFactors).where(eq(secondFactors.userId, a.userId));
    expect(row!.secret.toString("latin1")).not.toContain(a.secret);
    expect(row!.secret.toString("latin1")).not.toContain(Secret.fromBase32(a.secret).hex);
    const again = await a.client.post("/api/account/totp");
    expect([again.statusCode, again.json().code]).toEqual([409, "second_factor_on"]);
    expect((await a.client.get("/api/account/security")).body).not.toContain(a.secret);
  });

  test("refuses a second step that began elsewhere, too long ago or before the password changed", async () => {
    const browser = { "sec-fetch-site": "same-origin" };
    const begun = await login(a.email, PASSWORD, browser);
    const { challenge } = begun.json().secondFactor;
    const cookie = begun.cookies.find(({ name }) => name === "sign-in")!;
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", maxAge: 300 });
    // The challenge does not work alone, with another browser's cookie, or from a program.
    for (const headers of [browser, { ...browser, cookie: `sign-in=${"A".repeat(43)}` }, {}])
      expect((await second({ challenge, code: a.code() }, headers)).json().code).toBe("second_factor_expired");

    const late = await challengeOf(a.email);
    await t.services.db
      .update(signInChallenges)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(signInChallenges.tokenHash, hashToken(late)));
    expect((await second({ challenge: late, recoveryCode: a.codes[2]! })).json().code).toBe("second_factor_expired");

    const before = await challengeOf(a.email);
    const changed = await a.client.post("/api/account/password", {
      currentPassword: PASSWORD,
      newPassword: "другие слова 5",
    });
    expect(changed.statusCode, changed.body).toBe(200);
    expect((await second({ challenge: before, recoveryCode: a.codes[3]! })).json().code).toBe("second_factor_expired");
  });

  test("cannot be weakened from a session that was not confirmed within ten minutes", async () => {
    await age(a.userId, 11 * 60_000);
    for (const attempt of [
      () => a.client.delete("/api/account/totp"),
      () => a.client.post("/api/account/recovery-codes"),
      () => a.client.post("/api/account/passkeys/options"),
    ]) {
      const answer = await attempt();
      expect([answer.statusCode, answer.json().code]).toEqual([403, "fresh_sign_in_needed"]);
    }
    // A code of the app cannot replace the password of an account that has one.
    expect((await a.client.post("/api/account/confirm", { code: a.code() })).statusCode).toBe(400);
    expect((await a.client.post("/api/account/confirm", { password: "не тот" })).statusCode).toBe(403);
    expect((await a.client.post("/api/account/confirm", { password: PASSWORD })).statusCode).toBe(200);
    expect((await a.client.delete("/api/account/totp")).statusCode).toBe(204);
    expect((await login(a.email)).json().success).toBe(true);
    const acts = await t.services.db.select().from(auditLog).where(eq(auditLog.userId, a.userId));
    expect(acts.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["second-factor-on", "confirmation-failed", "confirmed-again", "second-factor-off"]),
    );
  });
});

test("an authenticator app counts only from its first right code on", async () => {
  const client = await t.signUp();
  const email = `${randomUUID()}@example.test`;
  await t.services.db.update(users).set({ email, passwordHash }).where(eq(users.id, client.caller.userId));
  await client.post("/api/account/totp");
  expect((await client.post("/api/account/totp/confirm", { code: "000000" })).statusCode).toBe(403);
  expect((await login(email)).json().success).toBe(true);
});

test("accepting an invitation does not skip the second step", async () => {
  const a = await ann();
  const admin = await t.signUp();
  await admin.post(`/api/organizations/${admin.caller.organizationId}/users`, { email: a.email, role: "user" });
  await expect
    .poll(() => mailbox.letters.some(({ to, subject }) => to === a.email && subject === "Приглашение"))
    .toBe(true);
  const token = /\?token=(\S+)/.exec(mailbox.letters.findLast(({ subject }) => subject === "Приглашение")!.text)![1]!;
  const answer = await t.anonymous.post("/api/auth/invitation/accept", { token, password: PASSWORD });
  expect([answer.statusCode, answer.json().code]).toEqual([403, "second_factor_needed"]);
  expect((await a.client.post("/api/auth/invitation/accept", { token })).statusCode).toBe(200);
});
