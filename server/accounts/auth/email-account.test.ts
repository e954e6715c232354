import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignInResult } from "#contract/organizations/auth.ts";
import type { RegisterResult } from "#contract/organizations/registration.ts";
import { WINDOW_MS } from "#server/accounts/credentials/login-limit.ts";
import { createMailer } from "#server/accounts/mail/mail.ts";
import {
  auditLog,
  loginFailures,
  memberships,
  oneTimeLinks,
  organizations,
  users,
} from "#server/platform/db/schema/accounts.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";
import { createLog } from "#server/platform/log.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const CHIEF = "chief@example.test";
const PASSWORD = "верный пароль";

let t: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  t = await testApp({ superAdminEmail: CHIEF });
  mailbox = openMailbox(t.services);
});
afterAll(() => t.close());

const newEmail = () => `${randomUUID()}@example.test`;
const post = (path: string, payload: object, headers: Record<string, string> = {}, remoteAddress = "192.0.2.1") =>
  t.app.inject({ method: "POST", url: `/api/auth/email/${path}`, payload, headers, remoteAddress });
const verify = (token: string) =>
  t.app.inject({ method: "GET", url: "/api/auth/verify", headers: { authorization: `Bearer ${token}` } });

async function registered(email = newEmail()) {
  const answer = await post("register", { email, password: PASSWORD, firstName: "Анна", lastName: "Петрова" });
  expect(answer.statusCode).toBe(200);
  const { token, user } = answer.json<SignInResult>();
  return { email, token, user };
}

async function confirmed(email = newEmail()) {
  const account = await registered(email);
  await post("confirm", { token: await mailbox.tokenTo(email) }, { authorization: `Bearer ${account.token}` });
  return account;
}

const actionsOf = async (userId: string) =>
  (await t.services.db.select().from(auditLog).where(eq(auditLog.userId, userId)).orderBy(auditLog.id)).map(
    ({ action }) => action,
  );

describe("registration", () => {
  test("signs in the administrator of a new organisation named after the person", async () => {
    const { token, user, email } = await registered();
    expect(user).toMatchObject({ email, fullName: "Анна Петрова", role: "org_admin", emailConfirmed: false });
    expect(user).toMatchObject({ superAdmin: false, authMethod: "email" });
    expect((await verify(token)).json().user).toEqual(user);
    const [organization] = await t.services.db
      .select()
      .from(organizations)
      .where(eq(organizations.id, user.organizationId));
    expect(organization!.name).toBe("Анна Петрова");
    expect(await actionsOf(user.id)).toEqual(["registration", "sign-in"]);
  });

  test("calls the organisation of a nameless person «Личное пространство»", async () => {
    const { user } = (await post("register", { email: newEmail(), password: PASSWORD })).json();
    const [organization] = await t.services.db
      .select()
      .from(organizations)
      .where(eq(organizations.id, user.organizationId));
    expect(organization!.name).toBe("Личное пространство");
  });

  test("is refused for an e-mail that is taken, in any case of letters", async () => {
    const { email } = await registered();
    const again = await post("register", { email: ` ${email.toUpperCase()} `, password: "другой пароль" });
    expect(again.statusCode).toBe(409);
    expect(again.json().message).toBe("Этот email уже зарегистрирован");
  });

  test("twice at once with one e-mail makes one account and leaves no other organisation behind", async () => {
    const email = newEmail();
    const name = `Гонка ${randomUUID()}`;
    const answers = await Promise.all(
      [1, 2].map(() => post("register", { email, password: PASSWORD, firstName: name })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await t.services.db.select().from(organizations).where(eq(organizations.name, name))).toHaveLength(1);
  });

  test("ignores a role, organisation or flag sent by the client", async () => {
    const stranger = await t.signUp();
    const answer = await post("register", {
      email: newEmail(),
      password: PASSWORD,
      superAdmin: true,
      role: "viewer",
      organizationId: stranger.caller.organizationId,
      emailConfirmedAt: "2026-01-01",
      id: stranger.caller.userId,
    });
    const { user } = answer.json();
    expect(user).toMatchObject({ superAdmin: false, role: "org_admin", emailConfirmed: false });
    expect(user.organizationId).not.toBe(stranger.caller.organizationId);
    expect(user.id).not.toBe(stranger.caller.userId);
  });

  test.each([
    [{ email: "нет", password: PASSWORD }, "Введите корректный email"],
    [{ email: "a@example.test", password: "1234567" }, "Пароль должен содержать минимум 8 символов"],
    [{ password: PASSWORD }, "Введите email"],
    [{ email: ["a@example.test"], password: PASSWORD }, "Введите email"],
    [{ email: "a@example.test", password: { length: 20 } }, "Введите пароль"],
  ])("is refused with a sentence: %j", async (input, message) => {
    const answer = await post("register", input);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toBe(message);
  });

  test("keeps the password as a hash and never returns it", async () => {
    const { user, email } = await registered();
    const [row] = await t.services.db.select().from(users).where(eq(users.id, user.id));
    expect(row!.passwordHash).toMatch(/^\$argon2id\$/);
    const login = await post("login", { email, password: PASSWORD });
    expect(login.body).not.toContain("argon2");
    expect(login.body).not.toContain(PASSWORD);
  });
});

describe("signing in by e-mail", () => {
  test("gives a browser a bound session in an HttpOnly, SameSite=Strict cookie", async () => {
    const { email } = await registered();
    const answer = await post("login", { email, password: PASSWORD }, { "sec-fetch-site": "same-origin" });
    expect(answer.statusCode).toBe(200);
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: "session", httpOnly: true, sameSite: "Strict", path: "/" });
    const { token } = answer.json();
    expect((await verify(token)).statusCode).toBe(401);
    const whole = await t.app.inject({
      url: "/api/auth/verify",
      headers: { authorization: `Bearer ${token}` },
      cookies: { session: cookie!.value },
    });
    expect(whole.statusCode).toBe(200);
  });

  test("gives an API client a token of its own and no cookie", async () => {
    const { email } = await registered();
    const answer = await post("login", { email, password: PASSWORD });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect((await verify(answer.json().token)).statusCode).toBe(200);
  });

  test("answers an unknown e-mail like a wrong password, after the same work", async () => {
    const { email, user } = await registered();
    const once = async (input: { email: string; password: string }) => {
      const before = process.cpuUsage();
      const answer = await post("login", input);
      const { user, system } = process.cpuUsage(before);
      return { answer, cpu: user + system };
    };
    // The hash is computed in another thread, so the whole process is measured: the least of three has the least of its garbage collection.
    const measured = async (input: { email: string; password: string }) => {
      const all = [await once(input), await once(input), await once(input)];
      return all.reduce((least, one) => (one.cpu < least.cpu ? one : least));
    };
    const wrong = await measured({ email, password: "неверный" });
    const unknown = await measured({ email: newEmail(), password: "неверный" });
    const without = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;
    expect(wrong.answer.statusCode).toBe(401);
    expect(unknown.answer.statusCode).toBe(401);
    expect(wrong.answer.json().message).toBe("Неверный email или пароль");
    expect(without(unknown.answer.json())).toEqual(without(wrong.answer.json()));
    expect(unknown.cpu).toBeGreaterThan(wrong.cpu * 0.3);
    expect(await actionsOf(user.id)).toContain("sign-in-failed");
  });

  test("with an Idempotency-Key neither stores the token nor replays it", async () => {
    const { email, token } = await registered();
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": randomUUID() };
    const answers = [
      await post("login", { email, password: PASSWORD }, headers),
      await post("login", { email, password: PASSWORD }, headers),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers[0]!.json().token).not.toBe(answers[1]!.json().token);
    expect(await t.services.db.$count(idempotencyKeys)).toBe(0);
  });

  test("does not open an account without a password", async () => {
    const email = newEmail();
    await t.services.db.insert(users).values({ email, authMethod: "telegram" });
    expect((await post("login", { email, password: "null" })).statusCode).toBe(401);
  });

  test("stops after five tries in fifteen minutes, even with the right password, and says when to come back", async () => {
    const { email } = await registered();
    for (let i = 0; i < 5; i++) expect((await post("login", { email, password: `${i}` })).statusCode).toBe(401);
    const sixth = await post("login", { email, password: PASSWORD });
    expect(sixth.statusCode).toBe(429);
    const wait = Number(sixth.headers["retry-after"]);
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    expect((await post("login", { email, password: PASSWORD }, {}, "192.0.2.77")).statusCode).toBe(200);
    await t.services.db.update(loginFailures).set({ at: new Date(Date.now() - WINDOW_MS - 1000) });
    expect((await post("login", { email, password: PASSWORD })).statusCode).toBe(200);
  });

  test("lets five of twenty simultaneous guesses through", async () => {
    const { email } = await registered();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => post("login", { email, password: `${i}` })));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
  });

  test("limits an unknown e-mail equally, and counts one IPv6 network as one address", async () => {
    const email = newEmail();
    for (let i = 0; i < 5; i++) {
      expect((await post("login", { email, password: "x" }, {}, `2001:db8:1:2::${i}`)).statusCode).toBe(401);
    }
    expect((await post("login", { email, password: "x" }, {}, "2001:db8:1:2:ffff::9")).statusCode).toBe(429);
    expect((await post("login", { email, password: "x" }, {}, "2001:db8:1:3::1")).statusCode).toBe(401);
  });

  test("resets the count after a right password", async () => {
    const { email } = await registered();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) expect((await post("login", { email, password: "x" })).statusCode).toBe(401);
      expect((await post("login", { email, password: PASSWORD })).statusCode).toBe(200);
    }
  });

  test("leads a user who was removed from all organisations into a personal one", async () => {
    const { email, user } = await registered();
    await t.services.db.delete(memberships).where(eq(memberships.userId, user.id));
    const answer = (await post("login", { email, password: PASSWORD })).json();
    expect(answer.user.role).toBe("org_admin");
    expect(answer.user.organizationId).not.toBe(user.organizationId);
  });
});

describe("a forgotten password", () => {
  const forgot = async (email: string) => {
    mailbox.letters.length = 0;
    const answer = await post("forgot", { email });
    expect(answer.json()).toEqual({ success: true, letter: "mail" });
    return mailbox.tokenTo(email);
  };

  test("is replaced through the link of a letter, which ends every session", async () => {
    const { email, token, user } = await confirmed();
    const reset = await post("reset", { token: await forgot(email), password: "свежий ветер в поле" });
    expect(reset.json()).toEqual({ success: true, startedClean: false });
    expect((await verify(token)).statusCode).toBe(401);
    expect((await post("login", { email, password: PASSWORD })).statusCode).toBe(401);
    const login = await post("login", { email, password: "свежий ветер в поле" });
    expect(login.json().user.emailConfirmed).toBe(true);
    expect(await actionsOf(user.id)).toEqual(expect.arrayContaining(["password-reset-requested", "password-reset"]));
  });

  test("cannot be replaced twice with one link", async () => {
    const { email } = await confirmed();
    const token = await forgot(email);
    expect((await post("reset", { token, password: "первый пароль" })).statusCode).toBe(200);
    const second = await post("reset", { token, password: "второй пароль" });
    expect(second.statusCode).toBe(400);
    expect(second.json().message).toBe("Ссылка недействительна или устарела");
    expect((await post("login", { email, password: "второй пароль" })).statusCode).toBe(401);
  });

  test("is replaced by only one of two simultaneous uses of a link", async () => {
    const { email } = await confirmed();
    const token = await forgot(email);
    const answers = await Promise.all([1, 2].map((i) => post("reset", { token, password: `свежий ветер ${i}` })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  test("can be replaced within one hour", async () => {
    const { email, user } = await confirmed();
    const token = await forgot(email);
    const [link] = await t.services.db
      .select()
      .from(oneTimeLinks)
      .where(sql`${oneTimeLinks.userId} = ${user.id} and ${oneTimeLinks.purpose} = 'reset-password'`);
    expect(link!.expiresAt.getTime() - link!.createdAt.getTime()).toBeCloseTo(3_600_000, -4);
    await t.services.db.update(oneTimeLinks).set({ expiresAt: new Date() }).where(eq(oneTimeLinks.id, link!.id));
    expect((await post("reset", { token, password: "свежий ветер в поле" })).statusCode).toBe(400);
  });

  test("gets a new link no sooner than a minute after the last, which then ends", async () => {
    const { email, user } = await confirmed();
    const first = await forgot(email);
    await post("forgot", { email });
    // Letters are sent in order: an earlier letter would have arrived before this one.
    const later = await confirmed();
    await post("forgot", { email: later.email });
    await expect
      .poll(() => mailbox.letters.some(({ to, subject }) => to === later.email && subject === "Новый пароль"))
      .toBe(true);
    expect(mailbox.letters.filter(({ to }) => to === email)).toHaveLength(1);
    await t.services.db
      .update(oneTimeLinks)
      .set({ createdAt: new Date(Date.now() - 61_000) })
      .where(eq(oneTimeLinks.userId, user.id));
    const second = await forgot(email);
    expect((await post("reset", { token: first, password: "свежий ветер в поле" })).statusCode).toBe(400);
    expect((await post("reset", { token: second, password: "свежий ветер в поле" })).statusCode).toBe(200);
  });

  test.each([[null], [""], [[]], [{}], [0], [["a".repeat(43)]], ["a".repeat(43)], ["%"]])(
    "is not replaced by the token %j",
    async (token) => {
      const { email } = await confirmed();
      await forgot(email);
      expect((await post("reset", { token, password: "свежий ветер в поле" })).statusCode).toBe(400);
      expect((await post("reset", { password: "свежий ветер в поле" })).statusCode).toBe(400);
      expect((await post("login", { email, password: PASSWORD })).statusCode).toBe(200);
    },
  );

  test("cannot be replaced with a confirmation link or the stored hash of a link", async () => {
    const email = newEmail();
    mailbox.letters.length = 0;
    const { user } = await registered(email);
    const token = await mailbox.tokenTo(email);
    expect((await post("reset", { token, password: "свежий ветер в поле" })).statusCode).toBe(400);
    await forgot(email);
    for (const link of await t.services.db.select().from(oneTimeLinks).where(eq(oneTimeLinks.userId, user.id))) {
      expect((await post("reset", { token: link.tokenHash, password: "свежий ветер в поле" })).statusCode).toBe(400);
    }
  });

  test("of an unknown e-mail gets the same answer and no letter", async () => {
    mailbox.letters.length = 0;
    const { email } = await confirmed();
    const unknown = await post("forgot", { email: newEmail() });
    expect(unknown.body).toBe((await post("forgot", { email })).body);
    await mailbox.tokenTo(email);
    expect(mailbox.letters.every(({ to }) => to === email)).toBe(true);
  });
});

describe("a confirmation link", () => {
  test("confirms the e-mail once, within a day", async () => {
    const { email, token } = await registered();
    const link = await mailbox.tokenTo(email);
    const headers = { authorization: `Bearer ${token}` };
    expect((await post("confirm", { token: link }, headers)).json()).toEqual({ success: true });
    expect((await verify(token)).json().user.emailConfirmed).toBe(true);
    expect((await post("confirm", { token: link }, headers)).statusCode).toBe(400);
    const late = await registered();
    await t.services.db
      .update(oneTimeLinks)
      .set({ expiresAt: new Date() })
      .where(eq(oneTimeLinks.userId, late.user.id));
    expect((await post("confirm", { token: await mailbox.tokenTo(late.email) })).statusCode).toBe(400);
  });

  test("makes the account of SUPER_ADMIN_EMAIL the platform's administrator", async () => {
    const own = await registered(CHIEF);
    expect(own.user).toMatchObject({ superAdmin: false });
    await post("confirm", { token: await mailbox.tokenTo(CHIEF) }, { authorization: `Bearer ${own.token}` });
    expect((await verify(own.token)).json().user.superAdmin).toBe(true);
    await t.services.db.delete(users).where(eq(users.id, own.user.id));
  });

  test("makes no other account the platform's administrator", async () => {
    const { email, token } = await registered();
    await post("confirm", { token: await mailbox.tokenTo(email) }, { authorization: `Bearer ${token}` });
    expect((await verify(token)).json().user).toMatchObject({ superAdmin: false, emailConfirmed: true });
  });
});

describe("another confirmation letter", () => {
  const ask = (token: string) => post("confirmation", {}, { authorization: `Bearer ${token}` });
  const aMinutePasses = (userId: string) =>
    t.services.db
      .update(oneTimeLinks)
      .set({ createdAt: new Date(Date.now() - 61_000) })
      .where(eq(oneTimeLinks.userId, userId));

  test("goes to the signed-in user's address, and only its link is still valid", async () => {
    const { email, token, user } = await registered();
    const first = await mailbox.tokenTo(email);
    await aMinutePasses(user.id);
    expect((await ask(token)).json()).toEqual({ success: true, letter: "mail" });
    const second = await mailbox.tokenTo(email);
    expect(second).not.toBe(first);
    const headers = { authorization: `Bearer ${token}` };
    expect((await post("confirm", { token: first }, headers)).statusCode).toBe(400);
    expect((await post("confirm", { token: second }, headers)).statusCode).toBe(200);
    expect((await verify(token)).json().user.emailConfirmed).toBe(true);
    expect(await actionsOf(user.id)).toContain("confirmation-requested");
  });

  test("is refused for a minute after the last one, also when two are asked for at once", async () => {
    const { email, token, user } = await registered();
    await mailbox.tokenTo(email);
    const early = await ask(token);
    expect(early.statusCode).toBe(429);
    expect(early.json()).toMatchObject({ code: "letter_just_sent" });
    expect(Number(early.headers["retry-after"])).toBeGreaterThan(50);
    expect(Number(early.headers["retry-after"])).toBeLessThanOrEqual(60);
    await aMinutePasses(user.id);
    const both = await Promise.all([ask(token), ask(token)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429]);
    expect(mailbox.letters.filter(({ to }) => to === email)).toHaveLength(2);
  });

  test("is sent at most four times a day after the first, from whatever address it is asked for", async () => {
    const { token, user } = await registered();
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) {
      await aMinutePasses(user.id);
      const headers = { authorization: `Bearer ${token}` };
      statuses.push((await post("confirmation", {}, headers, `198.51.100.${time}`)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    // Sign-ins are counted separately from the tries of a reset.
    expect((await post("login", { email: user.email, password: PASSWORD })).statusCode).toBe(200);
  });

  test("is refused when there is nothing to confirm", async () => {
    const { token } = await confirmed();
    const refused = await ask(token);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "email_confirmed" });
    const ann = await t.signUp();
    await t.services.db.update(users).set({ email: null }).where(eq(users.id, ann.caller.userId));
    expect((await ask(ann.token)).json()).toMatchObject({ code: "no_email" });
  });

  test("that the mail server refuses is reported, and may be asked for again at once", async () => {
    const { token, user } = await registered();
    await aMinutePasses(user.id);
    const { send } = t.services.mailer;
    t.services.mailer = { way: "mail", send: () => Promise.reject(new Error("550 no such mailbox")) };
    const failed = await ask(token);
    expect(failed.statusCode).toBe(502);
    expect(failed.json()).toMatchObject({ code: "mail_failed" });
    expect(failed.body).not.toContain("550");
    t.services.mailer = { way: "mail", send };
    expect((await ask(token)).statusCode).toBe(200);
  });
});

describe("without a mail server", () => {
  const printed: string[] = [];
  beforeAll(() => {
    const log = createLog("info", { write: (line: string) => void printed.push(line) });
    t.services.mailer = createMailer({ production: false, smtpUrl: null, mailFrom: "no-reply@twins.example" }, log);
  });
  afterAll(() => {
    mailbox = openMailbox(t.services);
  });

  test("every answer says that the letter is in the log, which holds its link", async () => {
    const email = newEmail();
    const answer = await post("register", { email, password: PASSWORD });
    const { token, user, letter } = answer.json<RegisterResult>();
    expect(letter).toBe("log");
    await t.services.db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, user.id));
    const again = await post("confirmation", {}, { authorization: `Bearer ${token}` });
    expect(again.json()).toEqual({ success: true, letter: "log" });
    expect((await post("forgot", { email })).json()).toEqual({ success: true, letter: "log" });
    // The response is the same for an unknown address, so it describes the server's mail delivery and not the account.
    expect((await post("forgot", { email: newEmail() })).json()).toEqual({ success: true, letter: "log" });
    const link = /confirm-email\?token=([\w-]+)/.exec(printed.findLast((line) => line.includes("confirm-email"))!)![1]!;
    expect((await post("confirm", { token: link }, { authorization: `Bearer ${token}` })).statusCode).toBe(200);
  });
});

describe("the audit log", () => {
  test("holds no password and no token, and cannot be changed", async () => {
    const { email, token } = await registered();
    await post("login", { email, password: "секретная догадка" });
    const text = JSON.stringify(await t.services.db.select().from(auditLog));
    for (const secret of [token, PASSWORD, "секретная догадка"]) expect(text).not.toContain(secret);
    await expect(t.services.db.delete(auditLog)).rejects.toThrow();
    await expect(t.services.db.update(auditLog).set({ action: "x" })).rejects.toThrow();
  });
});
