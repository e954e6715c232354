import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { hashPassword } from "#server/accounts/credentials/passwords.ts";
import { deviceName } from "#server/accounts/mail/device-name.ts";
import { cleanUp } from "#server/cleanup.ts";
import { consents, securityNotices, sessions, users } from "#server/platform/db/schema/accounts.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { createSession } from "../sessions.ts";

const PASSWORD = "медь и патина 7";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

let t: TestApp;
let mailbox: Mailbox;
let passwordHash: string;
beforeAll(async () => {
  t = await testApp();
  mailbox = openMailbox(t.services);
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => t.close());

let client: TestClient;
let email: string;
beforeEach(async () => {
  client = await t.signUp();
  email = `${randomUUID()}@example.test`;
  await t.services.db
    .update(users)
    .set({ email, emailConfirmedAt: new Date(), passwordHash, createdAt: new Date(Date.now() - 3_600_000) })
    .where(eq(users.id, client.caller.userId));
});

const inBrowser = (path: string, payload: object, cookies: Record<string, string> = {}, agent = FIREFOX) =>
  t.app.inject({
    method: "POST",
    url: path,
    payload,
    cookies,
    headers: { "sec-fetch-site": "same-origin", "user-agent": agent },
  });
const signIn = (cookies: Record<string, string> = {}) =>
  inBrowser("/api/auth/email/login", { email, password: PASSWORD }, cookies);
const lettersAbout = (subject: string) =>
  mailbox.letters.filter((letter) => letter.to === email && letter.subject === subject);

describe("the list of sessions", () => {
  test("says in plain words where one is signed in, and can end one session or all others", async () => {
    const entered = (await signIn()).json();
    const other = { authorization: `Bearer ${entered.token}` };
    await createSession(t.services.db, { ...client.caller, bound: false });
    const list = (await client.get("/api/account/sessions")).json();
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    const browser = list.find(({ device }: { device: string }) => device === "Firefox, Windows");
    expect(browser).toMatchObject({ ip: "127.0.0.1", current: false });
    const raw = JSON.stringify(
      await t.services.db.select().from(sessions).where(eq(sessions.userId, client.caller.userId)),
    );
    expect(raw).not.toContain("Mozilla");

    expect((await client.delete(`/api/account/sessions/${browser.id}`)).statusCode).toBe(204);
    expect((await t.anonymous.inject({ url: "/api/auth/verify", headers: other })).statusCode).toBe(401);
    expect((await client.post("/api/account/sessions/end", { current: false })).json()).toEqual({ ended: 1 });
    expect((await client.get("/api/account/sessions")).json()).toHaveLength(1);
    expect((await client.post("/api/account/sessions/end", { current: true })).statusCode).toBe(200);
    expect((await client.get("/api/account/sessions")).statusCode).toBe(401);
  });

  test("omits sessions that have ended", async () => {
    await cleanUp(t.services, Date.now() + 2 * 86_400_000);
    expect(await t.services.db.select().from(sessions).where(eq(sessions.userId, client.caller.userId))).toEqual([]);
  });
});

describe("changing the password", () => {
  test("needs the present password, ends the other sessions and is reported by letter", async () => {
    const other = (await signIn()).json().token;
    const wrong = await client.post("/api/account/password", {
      currentPassword: "не тот",
      newPassword: "совсем другой 8",
    });
    expect([wrong.statusCode, wrong.json().code]).toEqual([403, "wrong_password"]);
    const same = await client.post("/api/account/password", { currentPassword: PASSWORD, newPassword: PASSWORD });
    expect(same.json().fields).toHaveProperty("newPassword");
    const right = { currentPassword: PASSWORD, newPassword: "совсем другой 8" };
    expect((await client.post("/api/account/password", right)).statusCode).toBe(200);
    expect((await client.get("/api/auth/verify")).statusCode).toBe(200);
    const headers = { authorization: `Bearer ${other}` };
    expect((await t.anonymous.inject({ url: "/api/auth/verify", headers })).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(401);
    expect((await mailbox.letterTo(email)).text).toContain("/account");
    await expect.poll(() => lettersAbout("Пароль изменён").length).toBe(1);
  });

  test("allows five guesses at the present password and no more", async () => {
    const guess = () => client.post("/api/account/confirm", { password: "не тот" });
    for (let tries = 0; tries < 5; tries++) expect((await guess()).statusCode).toBe(403);
    expect((await client.post("/api/account/confirm", { password: PASSWORD })).statusCode).toBe(429);
  });
});

describe("letters about the account", () => {
  test("are sent after a sign-in from a new browser, not from a known one", async () => {
    const first = await signIn();
    await expect.poll(() => lettersAbout("Вход с нового устройства").length).toBe(1);
    expect(lettersAbout("Вход с нового устройства")[0]!.text).toContain("Firefox, Windows, 127.0.0.1");
    const device = first.cookies.find(({ name }) => name === "device")!;
    expect(device).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await signIn({ device: device.value });
    const kinds = (await client.get("/api/account/notices")).json();
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(["new-device"]);
    await signIn();
    await expect.poll(() => lettersAbout("Вход с нового устройства").length).toBe(2);
  });

  test("of one kind are limited without holding back another kind", async () => {
    for (let times = 0; times < 8; times++) {
      const { id } = (
        await t.services.db
          .insert((await import("#server/platform/db/schema/accounts.ts")).passkeys)
          .values({
            userId: client.caller.userId,
            name: "к",
            credentialId: randomUUID(),
            publicKey: Buffer.alloc(1),
            counter: 0,
          })
          .returning()
      )[0]!;
      await client.delete(`/api/account/passkeys/${id}`);
    }
    await expect.poll(() => lettersAbout("Удалён ключ доступа").length).toBe(5);
    expect((await client.get("/api/account/notices")).json()).toHaveLength(8);
    await client.post("/api/account/password", { currentPassword: PASSWORD, newPassword: "совсем другой 8" });
    await expect.poll(() => lettersAbout("Пароль изменён").length).toBe(1);
  });

  test("are sent to no unconfirmed address; the screen shows the notice all the same", async () => {
    await t.services.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.email, email));
    await signIn();
    expect((await client.get("/api/account/notices")).json()).toMatchObject([{ kind: "new-device", seen: false }]);
    expect(mailbox.letters.filter(({ to }) => to === email)).toEqual([]);
    const seen = await client.post("/api/account/notices/seen");
    expect(seen.statusCode, seen.body).toBe(200);
    expect((await client.get("/api/account/notices")).json()).toMatchObject([{ seen: true }]);
  });

  test("report a new passkey, and tell administrators of a new member", async () => {
    const twin = (
      await client.post("/api/digital-twins", {
        name: "Анна",
        description: "Отвечает покупателям",
        personality: "Внимательная, спокойная",
        communicationStyle: "Коротко и по делу",
        knowledgeArea: "Доставка",
      })
    ).json();
    const key = { name: "Сайт", scopes: ["ask"], dailyMessages: 10, dailyTokens: 1000 };
    expect((await client.post(`/api/digital-twins/${twin.id}/keys`, key)).statusCode).toBe(201);
    await expect.poll(() => lettersAbout("Создан ключ API").length).toBe(1);

    const guest = `${randomUUID()}@example.test`;
    await client.post(`/api/organizations/${client.caller.organizationId}/users`, { email: guest, role: "user" });
    const token = await mailbox.tokenTo(guest);
    const joined = await t.anonymous.post("/api/auth/invitation/accept", { token, password: PASSWORD });
    expect(joined.statusCode, joined.body).toBe(200);
    await expect.poll(() => lettersAbout("Новый участник организации").length).toBe(1);
    expect(lettersAbout("Новый участник организации")[0]!.text).toContain(guest);
  });

  test("that cannot be sent break nothing", async () => {
    const { mailer } = t.services;
    t.services.mailer = { way: "mail", send: () => Promise.reject(new Error("away")) };
    expect((await signIn()).statusCode).toBe(200);
    t.services.mailer = mailer;
    expect(
      await t.services.db.select().from(securityNotices).where(eq(securityNotices.userId, client.caller.userId)),
    ).toHaveLength(1);
  });
});

describe("consent", () => {
  const registration = () => ({ email: `${randomUUID()}@example.test`, password: PASSWORD });

  test("must be given by every browser that registers, to the version in force, and is recorded", async () => {
    const without = await inBrowser("/api/auth/email/register", registration());
    expect(without.statusCode).toBe(400);
    expect(without.json().fields).toHaveProperty("consent");
    for (const register of [
      inBrowser("/api/auth/email/register", { ...registration(), consent: "2001-01-01" }),
      t.anonymous.post("/api/auth/email/register", { ...registration(), consent: "2001-01-01" }),
    ])
      expect([(await register).statusCode, (await register).json().code]).toEqual([409, "consent_outdated"]);
    const made = await inBrowser("/api/auth/email/register", { ...registration(), consent: CONSENT_VERSION });
    expect(made.statusCode, made.body).toBe(200);
    expect(made.json().user.consentDue).toBe(false);
    const [kept] = await t.services.db.select().from(consents).where(eq(consents.userId, made.json().user.id));
    expect(kept).toMatchObject({ version: CONSENT_VERSION, addressHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("is due for a user who has not given it, once for each version", async () => {
    // A program may register without consent; the user is asked at the first visit with a browser.
    const made = await t.anonymous.post("/api/auth/email/register", registration());
    expect(made.json().user.consentDue).toBe(true);
    const headers = { authorization: `Bearer ${made.json().token}` };
    const post = (version: string) =>
      t.app.inject({ method: "POST", url: "/api/account/consent", payload: { version }, headers });
    expect((await post("2001-01-01")).statusCode).toBe(409);
    expect((await post(CONSENT_VERSION)).json().user.consentDue).toBe(false);
    await t.services.db.update(users).set({ consentVersion: "2001-01-01" }).where(eq(users.id, made.json().user.id));
    expect((await t.app.inject({ url: "/api/auth/verify", headers })).json().user.consentDue).toBe(true);
    expect((await post(CONSENT_VERSION)).statusCode).toBe(200);
    expect((await t.app.inject({ url: "/api/account/security", headers })).json().consents).toHaveLength(1);
  });
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 YaBrowser/25.6 Safari/537.36",
    "Яндекс Браузер, Windows",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 Safari/537.36 Edg/138.0", "Edge, Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1", "Safari, iPhone"],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36", "Chrome, Android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, macOS"],
  ["<script>alert(1)</script>", "Неизвестный браузер"],
])("%s is called «%s»", (agent, name) => {
  expect(deviceName(agent, true)).toBe(name);
});
