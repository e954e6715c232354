import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLog, invitations, memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { MAX_INVITED } from "./invitations.ts";

const CHIEF = "chief@example.test";
const PASSWORD = "верный пароль";

let t: TestApp;
let mailbox: Mailbox;
let admin: TestClient;
beforeAll(async () => {
  t = await testApp({ superAdminEmail: CHIEF });
  mailbox = openMailbox(t.services);
});
afterAll(() => t.close());
beforeEach(async () => {
  admin = await t.signUp();
});

const newEmail = () => `${randomUUID()}@example.test`;
const pathOf = ({ caller }: TestClient) => `/api/organizations/${caller.organizationId}/users`;
const invite = (email: string, more: object = {}) => admin.post(pathOf(admin), { email, ...more });
const accept = (body: object, headers: Record<string, string> = {}) =>
  t.app.inject({ method: "POST", url: "/api/auth/invitation/accept", payload: body, headers });
const look = (token: unknown) => t.anonymous.post("/api/auth/invitation", { token } as object);
const register = async (email: string) =>
  (await t.anonymous.post("/api/auth/email/register", { email, password: PASSWORD, firstName: "Настоящее" })).json();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const verify = (token: string) => t.app.inject({ method: "GET", url: "/api/auth/verify", headers: bearer(token) });

const age = (email: string, byMs: number) =>
  t.services.db
    .update(invitations)
    .set({ createdAt: new Date(Date.now() - byMs), expiresAt: new Date(Date.now() + 7 * 86_400_000 - byMs) })
    .where(eq(invitations.email, email));

async function invited(more: object = {}): Promise<{ email: string; token: string }> {
  const email = newEmail();
  expect((await invite(email, more)).statusCode).toBe(201);
  return { email, token: await mailbox.tokenTo(email) };
}

describe("an invitation of a new user", () => {
  test("appears in the list, and its link creates the account, the membership and the session", async () => {
    const email = newEmail();
    const answer = await invite(email.toUpperCase(), { firstName: " Вера ", lastName: "Ли", role: "viewer" });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      email,
      firstName: "Вера",
      lastName: "Ли",
      role: "viewer",
      status: "invited",
    });
    expect(answer.json().letter).toBe("mail");
    expect((await admin.get(pathOf(admin))).json()[0]).toMatchObject({ email, status: "invited" });

    const token = await mailbox.tokenTo(email);
    expect((await look(token)).json()).toEqual({
      email,
      firstName: "Вера",
      organizationName: "Тестовая",
      role: "viewer",
      hasAccount: false,
      mayStartClean: false,
    });
    const entered = (await accept({ token, password: PASSWORD })).json();
    expect(entered.user).toMatchObject({
      email,
      fullName: "Вера Ли",
      role: "viewer",
      emailConfirmed: true,
      superAdmin: false,
      organizationId: admin.caller.organizationId,
    });
    expect((await verify(entered.token)).json().user).toEqual(entered.user);
    const list = (await admin.get(pathOf(admin))).json();
    expect(list).toHaveLength(2);
    expect(list[1]).toMatchObject({ id: entered.user.id, status: "active", role: "viewer" });
    const again = await t.anonymous.post("/api/auth/email/login", { email, password: PASSWORD });
    expect(again.json().user.organizationId).toBe(admin.caller.organizationId);
    const actions = await t.services.db.select().from(auditLog).where(eq(auditLog.userId, entered.user.id));
    expect(actions.map(({ action }) => action)).toEqual(["invitation-accepted", "sign-in", "sign-in"]);
  });

  test("gives the role user by default", async () => {
    expect((await invite(newEmail())).json().role).toBe("user");
  });

  test("does not block the address: the person can still register", async () => {
    const { email, token } = await invited();
    const { user } = await register(email);
    expect(user.organizationId).not.toBe(admin.caller.organizationId);
    expect((await look(token)).json().hasAccount).toBe(true);
  });

  test("to the platform administrator's address makes the owner of the mailbox the super admin", async () => {
    expect((await invite(CHIEF)).statusCode).toBe(201);
    const entered = await accept({ token: await mailbox.tokenTo(CHIEF), password: PASSWORD });
    expect(entered.json().user.superAdmin).toBe(true);
  });

  test("needs a password of the usual length", async () => {
    const { token } = await invited();
    expect((await accept({ token })).json().fields).toEqual({ password: "Введите пароль" });
    expect((await accept({ token, password: "1234567" })).statusCode).toBe(400);
    expect((await look(token)).statusCode).toBe(200);
  });
});

describe("whether an address has an account", () => {
  test("cannot be learnt from an invitation: answer, list and letter are the same", async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await register(known);
    mailbox.letters.length = 0;
    const answers = await Promise.all([known, unknown].map((email) => invite(email, { firstName: "Имя" })));
    const without = (text: string) =>
      text.replaceAll(/[0-9a-f-]{36}(@example\.test)?/g, "…").replaceAll(/\d{4}-[\dT:.-]+Z/g, "…");
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(without(answers[0]!.body)).toBe(without(answers[1]!.body));
    const rows = (await admin.get(pathOf(admin))).json().slice(0, 2);
    expect(rows.map((row: object) => without(JSON.stringify(row)))[0]).toBe(without(JSON.stringify(rows[1])));
    expect(JSON.stringify(rows)).not.toContain("Настоящее");
    const texts = await Promise.all([known, unknown].map(async (email) => (await mailbox.letterTo(email)).text));
    const sameLink = (text: string) => text.replace(/token=\S+/, "token=…");
    expect(sameLink(texts[0]!)).toBe(sameLink(texts[1]!));
    expect(texts[0]).not.toContain("Имя");
  });

  test("an invitation alone makes no person a member", async () => {
    const email = newEmail();
    const { user } = await register(email);
    await invite(email, { role: "org_admin" });
    const rows = await t.services.db.select().from(memberships).where(eq(memberships.userId, user.id));
    expect(rows.map(({ orgId }) => orgId)).toEqual([user.organizationId]);
  });

  test("the administrator, who sees the list anyway, learns that the address is already a member", async () => {
    const { email, token } = await invited();
    await accept({ token, password: PASSWORD });
    const answer = await invite(email);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe("already_member");
  });
});

describe("an invitation of a user who has an account", () => {
  test("is accepted by the account's password and keeps the other organisation", async () => {
    const email = newEmail();
    const { user } = await register(email);
    await invite(email, { role: "org_admin" });
    const token = await mailbox.tokenTo(email);
    expect((await accept({ token, password: "совсем не тот пароль" })).statusCode).toBe(403);
    const entered = (await accept({ token, password: PASSWORD })).json();
    expect(entered.user).toMatchObject({
      id: user.id,
      firstName: "Настоящее",
      role: "org_admin",
      organizationId: admin.caller.organizationId,
    });
    expect(await t.services.db.select().from(memberships).where(eq(memberships.userId, user.id))).toHaveLength(2);
  });

  test("needs no password from a user signed in to that very account, and only from him", async () => {
    const email = newEmail();
    const { token: own } = await register(email);
    await invite(email);
    const token = await mailbox.tokenTo(email);
    expect((await accept({ token }, bearer(admin.token))).statusCode).toBe(400);
    const entered = await accept({ token }, bearer(own));
    expect(entered.json().user.organizationId).toBe(admin.caller.organizationId);
    expect((await verify(own)).statusCode).toBe(401);
  });

  test("allows five guesses of the password", async () => {
    const email = newEmail();
    await register(email);
    await invite(email);
    const token = await mailbox.tokenTo(email);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await accept({ token, password: `неверный пароль ${n}` })).statusCode);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    expect((await accept({ token, password: PASSWORD })).statusCode).toBe(429);
  });

  test("does not change the role of a user who has become a member meanwhile", async () => {
    const email = newEmail();
    const { user, token: own } = await register(email);
    await invite(email, { role: "org_admin" });
    const token = await mailbox.tokenTo(email);
    await t.services.db
      .insert(memberships)
      .values({ orgId: admin.caller.organizationId, userId: user.id, role: "viewer" });
    expect((await accept({ token }, bearer(own))).json().user.role).toBe("viewer");
  });
});

describe("an invitation's link", () => {
  test("works once, also when it is followed twice at once", async () => {
    const { token, email } = await invited();
    const answers = await Promise.all([1, 2].map(() => accept({ token, password: PASSWORD })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    expect((await accept({ token, password: PASSWORD })).json().code).toBe("link_invalid");
    expect((await look(token)).statusCode).toBe(400);
    expect(await t.services.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
  });

  test("ends after a week and leaves the list", async () => {
    const { token, email } = await invited();
    await age(email, 7 * 86_400_000 + 1);
    expect((await look(token)).statusCode).toBe(400);
    expect((await accept({ token, password: PASSWORD })).statusCode).toBe(400);
    expect(await t.services.db.select().from(users).where(eq(users.email, email))).toEqual([]);
    expect((await admin.get(pathOf(admin))).json()).toHaveLength(1);
  });

  test("ends when it is revoked and when a newer one is sent", async () => {
    const first = await invited();
    const [row] = (await admin.get(pathOf(admin))).json();
    expect((await admin.delete(`${pathOf(admin)}/${row.id}`)).statusCode).toBe(204);
    expect((await look(first.token)).statusCode).toBe(400);

    const { email, token } = await invited();
    expect((await invite(email)).statusCode).toBe(429);
    expect((await look(token)).statusCode).toBe(200);
    await age(email, 61_000);
    expect((await invite(email, { role: "viewer" })).statusCode).toBe(201);
    expect((await look(token)).statusCode).toBe(400);
    expect((await admin.get(pathOf(admin))).json()).toHaveLength(2);
  });

  test.each([null, "", [], "x".repeat(43), {}, ["x".repeat(43)]])("%j is no valid token", async (token) => {
    expect((await look(token)).statusCode).toBe(400);
    expect((await accept({ token, password: PASSWORD })).statusCode).toBe(400);
  });

  test("of a reset letter is not accepted as an invitation, nor the other way round", async () => {
    const { token } = await invited();
    const reset = await t.anonymous.post("/api/auth/email/reset", { token, password: PASSWORD });
    expect(reset.json().code).toBe("link_invalid");
    const email = newEmail();
    await register(email);
    expect((await look(await mailbox.tokenTo(email))).statusCode).toBe(400);
  });

  test("is stored as a hash only", async () => {
    const { token, email } = await invited();
    const [row] = await t.services.db.select().from(invitations).where(eq(invitations.email, email));
    expect(JSON.stringify(row)).not.toContain(token);
  });
});

describe("who is invited", () => {
  test("can get another future role from administrators of that organisation alone", async () => {
    const { token } = await invited();
    const [row] = (await admin.get(pathOf(admin))).json();
    const stranger = await t.signUp();
    for (const base of [pathOf(admin), pathOf(stranger)]) {
      expect((await stranger.put(`${base}/${row.id}`, { role: "org_admin" })).statusCode).toBe(404);
      expect((await stranger.delete(`${base}/${row.id}`)).statusCode).toBe(404);
    }
    expect((await admin.put(`${pathOf(admin)}/${row.id}`, { role: "viewer" })).json().role).toBe("viewer");
    expect((await accept({ token, password: PASSWORD })).json().user.role).toBe("viewer");
  });

  test("cannot choose a role, organisation or flag when accepting", async () => {
    const stranger = await t.signUp();
    const { token } = await invited({ role: "viewer" });
    const forged = { role: "org_admin", superAdmin: true, organizationId: stranger.caller.organizationId };
    expect((await accept({ token, password: PASSWORD, email: CHIEF, ...forged })).json().user).toMatchObject({
      role: "viewer",
      superAdmin: false,
      organizationId: admin.caller.organizationId,
    });
  });

  test("can only be so many that the product does not become a sender of spam", async () => {
    await t.services.db.insert(invitations).values(
      Array.from({ length: MAX_INVITED }, () => ({
        orgId: admin.caller.organizationId,
        email: newEmail(),
        role: "user" as const,
        tokenHash: randomUUID(),
        expiresAt: new Date(Date.now() + 1000_000),
      })),
    );
    expect((await invite(newEmail())).json().code).toBe("too_many_invited");
  });

  test("is deleted with the organisation", async () => {
    const { token } = await invited();
    await t.services.db.delete(organizations).where(eq(organizations.id, admin.caller.organizationId));
    expect((await look(token)).statusCode).toBe(400);
  });
});
