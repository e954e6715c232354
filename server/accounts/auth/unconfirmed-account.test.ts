/** Permissions of an account with an unconfirmed e-mail, and the replacement of the account when the mailbox's owner appears. */
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignInResult } from "#contract/organizations/auth.ts";
import { asPlatform } from "#server/platform/db/database.ts";
import { auditLog, invitations, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const CHIEF = "chief@example.test";
const HOLDER = "пароль захватчика";
const OWNER = "пароль хозяина";
const KEY = { name: "Сайт", scopes: ["ask"], dailyMessages: 10, dailyTokens: 10_000 };
const FROM = { digitalTwinId: "", platform: "slack", apiKey: "xoxb-1" };

let t: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  t = await testApp({ superAdminEmail: CHIEF });
  mailbox = openMailbox(t.services);
});
afterAll(() => t.close());

const newEmail = () => `${randomUUID()}@example.test`;
const post = (url: string, payload: object, token?: string) =>
  t.app.inject({
    method: "POST",
    url,
    payload,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
const get = (url: string, token: string) =>
  t.app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });

/** A user who registers with an address that may be another person's, and creates a twin. */
async function holder(email = newEmail()) {
  const { token, user } = (
    await post("/api/auth/email/register", { email, password: HOLDER, firstName: "Чужой" })
  ).json<SignInResult>();
  const twin = await post("/api/digital-twins", TWIN, token);
  expect(twin.statusCode).toBe(201);
  return { email, token, user, twinId: twin.json().id as string };
}

const confirmIt = (userId: string, at: Date | null) =>
  t.services.db.update(users).set({ emailConfirmedAt: at }).where(eq(users.id, userId));

async function resetBy(email: string): Promise<SignInResult> {
  mailbox.letters.length = 0;
  await post("/api/auth/email/forgot", { email });
  const reset = await post("/api/auth/email/reset", { token: await mailbox.tokenTo(email), password: OWNER });
  expect(reset.json()).toEqual({ success: true, startedClean: true });
  return (await post("/api/auth/email/login", { email, password: OWNER })).json();
}

/** Returns rows of every tenant table that still name the organisation or the user. */
async function leftOf(ids: { organizationId: string; userId: string }): Promise<string[]> {
  const { db } = t.services;
  const { rows } = await db.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and table_name <> 'audit_log' and udt_name = 'uuid'`);
  const found: string[] = [];
  for (const { table, column } of rows) {
    const query = sql`select 1 from ${sql.identifier(table)}
      where ${sql.identifier(column)} in (${ids.organizationId}, ${ids.userId})`;
    const tenant = (await asPlatform(db, (tx) => tx.execute(query)).catch(() => ({ rows: [] }))).rows.length;
    const platform = (await db.execute(query)).rows.length;
    if (tenant + platform > 0) found.push(`${table}.${column}`);
  }
  return found;
}

describe("an account whose e-mail is not confirmed", () => {
  test("may do of everything that makes or changes something exactly this", () => {
    const allowed = t.app.endpoints
      .filter(({ access, method }) => access !== "public" && method !== "GET" && method !== "DELETE")
      .filter(({ beforeConfirmation }) => beforeConfirmation)
      .map(({ method, path }) => `${method} ${path}`);
    expect(allowed.sort()).toEqual([
      "PATCH /api/imports/uploads/:id",
      "POST /api/account/confirm",
      "POST /api/account/consent",
      "POST /api/account/notices/seen",
      "POST /api/account/password",
      "POST /api/account/sessions/end",
      "POST /api/ai-generate",
      "POST /api/auth/email/confirmation",
      "POST /api/auth/logout",
      "POST /api/auth/organization",
      "POST /api/conversations",
      "POST /api/conversations/:id/read",
      "POST /api/conversations/messages/:id/feedback",
      "POST /api/conversations/upload",
      "POST /api/digital-twins",
      "POST /api/digital-twins/:id/blind-test",
      "POST /api/digital-twins/:id/corrections",
      "POST /api/digital-twins/:id/corrections/decline",
      "POST /api/digital-twins/:id/corrections/preview",
      "POST /api/digital-twins/:id/corrections/proposal",
      "POST /api/digital-twins/:id/corrections/replay",
      "POST /api/digital-twins/:id/exam",
      "POST /api/digital-twins/:id/exam/finish",
      "POST /api/digital-twins/:id/first-answer",
      "POST /api/digital-twins/:id/gaps/:gapId/split",
      "POST /api/digital-twins/:id/quality/measure",
      "POST /api/digital-twins/:id/versions/:versionId/restore",
      "POST /api/imports",
      "POST /api/imports/:id/cancel",
      "POST /api/imports/:id/start",
      "POST /api/imports/from-uploads",
      "POST /api/imports/uploads",
      "POST /api/knowledge/upload",
      "PUT /api/conversations/:id",
      "PUT /api/digital-twins/:id",
      "PUT /api/digital-twins/:id/chat-facts/:factId",
      "PUT /api/digital-twins/:id/corrections/:correctionId",
      "PUT /api/digital-twins/:id/exam/answers/:answerId",
      "PUT /api/digital-twins/:id/gaps/:gapId",
      "PUT /api/digital-twins/:id/self-presentation",
      "PUT /api/knowledge/documents/:id",
      "PUT /api/stop-switch",
    ]);
  });

  test("invites nobody and makes no key, webhook, integration or widget, until it is", async () => {
    const { token, user, twinId } = await holder();
    const tries: [method: "POST" | "PUT", url: string, body: object][] = [
      ["POST", `/api/organizations/${user.organizationId}/users`, { email: newEmail() }],
      ["POST", `/api/digital-twins/${twinId}/keys`, KEY],
      ["POST", `/api/digital-twins/${twinId}/webhooks`, { url: "https://example.com/h", events: ["reply.sent"] }],
      ["POST", "/api/integrations/create", { ...FROM, digitalTwinId: twinId }],
      ["PUT", `/api/digital-twins/${twinId}/widget`, {}],
    ];
    const statuses = async () => {
      const answers = [];
      for (const [method, url, payload] of tries) {
        answers.push(await t.app.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } }));
      }
      return answers;
    };
    for (const answer of await statuses()) {
      expect(answer.json()).toMatchObject({
        code: "email_unconfirmed",
        message: expect.stringContaining("подтвердите"),
      });
      expect(answer.statusCode).toBe(403);
    }
    await confirmIt(user.id, new Date());
    for (const answer of await statuses()) expect(answer.body).not.toContain("email_unconfirmed");
  });

  test("is no platform administrator, whatever its row says", async () => {
    const chief = await t.signUp({ superAdmin: true, confirmed: false });
    expect((await chief.get("/api/auth/verify")).json().user.superAdmin).toBe(false);
    expect((await chief.get("/api/admin/organizations")).statusCode).toBe(403);
    await confirmIt(chief.caller.userId, new Date());
    expect((await chief.get("/api/admin/organizations")).statusCode).toBe(200);
  });

  test("disables its API keys", async () => {
    const { token, user, twinId } = await holder();
    await confirmIt(user.id, new Date());
    const made = await post(`/api/digital-twins/${twinId}/keys`, KEY, token);
    expect(made.statusCode).toBe(201);
    expect((await get("/v1/models", made.json().token)).statusCode).toBe(200);
    await confirmIt(user.id, null);
    expect((await get("/v1/models", made.json().token)).statusCode).toBe(401);
  });

  test("is not confirmed when the link is opened without being signed in to the account", async () => {
    const { email, token, user } = await holder();
    const other = await t.signUp();
    const link = await mailbox.tokenTo(email);
    for (const by of [undefined, other.token]) {
      const refused = await post("/api/auth/email/confirm", { token: link }, by);
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({ code: "confirm_signed_out" });
    }
    expect((await get("/api/auth/verify", token)).json().user.emailConfirmed).toBe(false);
    // The link still works for the user who registered.
    expect((await post("/api/auth/email/confirm", { token: link }, token)).statusCode).toBe(200);
    expect((await get("/api/auth/verify", token)).json().user).toMatchObject({ id: user.id, emailConfirmed: true });
  });
});

describe("when the mailbox's owner comes to an account that another person has made", () => {
  /** Creates an unconfirmed account with everything in it, as left by releases that did not restrict such accounts. */
  async function heldWithEverything() {
    const held = await holder();
    await confirmIt(held.user.id, new Date());
    const path = `/api/digital-twins/${held.twinId}`;
    const made = await post(`${path}/keys`, KEY, held.token);
    expect(made.statusCode).toBe(201);
    const key = made.json().token as string;
    expect((await get("/v1/models", key)).statusCode).toBe(200);
    const hook = { url: "https://example.com/h", events: ["reply.sent"], includeTexts: true, enabled: true };
    expect((await post(`${path}/webhooks`, hook, held.token)).statusCode).toBe(201);
    const members = `/api/organizations/${held.user.organizationId}/users`;
    const accomplice = newEmail();
    await post(members, { email: accomplice, role: "org_admin" }, held.token);
    const invitation = await mailbox.tokenTo(accomplice);
    const second = (
      await post("/api/auth/invitation/accept", { token: invitation, password: HOLDER })
    ).json<SignInResult>();
    const open = newEmail();
    await post(members, { email: open }, held.token);
    await confirmIt(held.user.id, null);
    return { ...held, key, second, pending: await mailbox.tokenTo(open) };
  }

  test("a reset takes the files along that were sent there, and leaves those of others", async () => {
    const { email, token, twinId } = await holder();
    const other = await t.signUp();
    const theirs = await buildTwin(other);
    const begin = (digitalTwinId: string, by: string) =>
      post("/api/imports/uploads", { digitalTwinId, fileName: "result.json", bytes: 1000 }, by);
    const stored = () => readdir(join(t.services.config.dataDir, "uploads")).catch(() => []);
    expect((await begin(theirs, other.token)).statusCode).toBe(200);
    const kept = await stored();
    expect((await begin(twinId, token)).statusCode).toBe(200);
    expect(await stored()).toHaveLength(kept.length + 1);
    await resetBy(email);
    expect(await stored()).toEqual(kept);
  });

  test("a reset leaves nothing of what was made: sessions, members, keys, hooks, twins, invitations", async () => {
    const { email, token, user, key, second, twinId, pending } = await heldWithEverything();
    const owner = await resetBy(email);
    expect(owner.user.id).not.toBe(user.id);
    expect(owner.user).toMatchObject({ email, emailConfirmed: true, fullName: "", role: "org_admin" });
    expect((await get("/api/digital-twins", owner.token)).json()).toEqual([]);
    for (const old of [token, second.token]) expect((await get("/api/auth/verify", old)).statusCode).toBe(401);
    expect((await get("/v1/models", key)).statusCode).toBe(401);
    expect((await post("/api/auth/invitation", { token: pending })).statusCode).toBe(400);
    expect((await post("/api/auth/email/login", { email, password: HOLDER })).statusCode).toBe(401);
    expect(await leftOf({ organizationId: user.organizationId, userId: user.id })).toEqual([]);
    expect((await get(`/api/digital-twins/${twinId}`, owner.token)).statusCode).toBe(404);
    // The accomplice continues in an organisation of his own, like any removed user.
    const login = await post("/api/auth/email/login", { email: second.user.email, password: HOLDER });
    expect(login.json().user.organizationId).not.toBe(user.organizationId);
    const written = await t.services.db.select().from(auditLog).where(eq(auditLog.action, "account-started-clean"));
    expect(written).toContainEqual(
      expect.objectContaining({ orgId: user.organizationId, userId: user.id, detail: { otherMembers: 1 } }),
    );
    expect(written).toContainEqual(expect.objectContaining({ userId: owner.user.id, subject: user.id }));
  });

  test("the letter says beforehand that the account will begin anew; a confirmed account's does not", async () => {
    const { email, user } = await holder();
    mailbox.letters.length = 0;
    await post("/api/auth/email/forgot", { email });
    const letter = await mailbox.letterTo(email);
    expect(letter.text).toContain("всё, что в нём успели создать, будет удалено");
    expect(letter.text).toContain("&clean=1");
    await confirmIt(user.id, new Date());
    await t.services.db.execute(sql`delete from one_time_links where user_id = ${user.id}`);
    mailbox.letters.length = 0;
    await post("/api/auth/email/forgot", { email });
    expect((await mailbox.letterTo(email)).text).not.toMatch(/удалено|clean=1/);
  });

  test("SUPER_ADMIN_EMAIL held by a stranger begins anew, and its owner is the platform's administrator", async () => {
    const stranger = await holder(CHIEF);
    expect((await post("/api/auth/email/confirm", { token: await mailbox.tokenTo(CHIEF) })).statusCode).toBe(403);
    expect((await get("/api/auth/verify", stranger.token)).json().user.superAdmin).toBe(false);
    const chief = await resetBy(CHIEF);
    expect(chief.user).toMatchObject({ superAdmin: true, emailConfirmed: true });
    expect(chief.user.id).not.toBe(stranger.user.id);
    expect((await get("/api/auth/verify", stranger.token)).statusCode).toBe(401);
    expect(await leftOf({ organizationId: stranger.user.organizationId, userId: stranger.user.id })).toEqual([]);
  });

  test("an invitation's link replaces the account where its reader says that it is not theirs", async () => {
    const held = await holder();
    const admin = await t.signUp();
    mailbox.letters.length = 0;
    await admin.post(`/api/organizations/${admin.caller.organizationId}/users`, {
      email: held.email,
      firstName: "Вера",
    });
    const token = await mailbox.tokenTo(held.email);
    expect((await post("/api/auth/invitation", { token })).json()).toMatchObject({
      hasAccount: true,
      mayStartClean: true,
    });
    const accept = (more: object) => post("/api/auth/invitation/accept", { token, ...more });
    expect((await accept({ password: OWNER })).statusCode).toBe(403);
    const entered = await accept({ password: OWNER, startClean: true });
    expect(entered.json().user).toMatchObject({
      email: held.email,
      fullName: "Вера",
      organizationId: admin.caller.organizationId,
      emailConfirmed: true,
    });
    expect((await get("/api/auth/verify", held.token)).statusCode).toBe(401);
    expect(await leftOf({ organizationId: held.user.organizationId, userId: held.user.id })).toEqual([]);
  });

  test("a confirmed account is never replaced", async () => {
    const held = await holder();
    await confirmIt(held.user.id, new Date());
    const admin = await t.signUp();
    mailbox.letters.length = 0;
    await admin.post(`/api/organizations/${admin.caller.organizationId}/users`, { email: held.email });
    const token = await mailbox.tokenTo(held.email);
    expect((await post("/api/auth/invitation", { token })).json()).toMatchObject({ mayStartClean: false });
    const accept = await post("/api/auth/invitation/accept", { token, password: OWNER, startClean: true });
    expect(accept.statusCode).toBe(403);
    mailbox.letters.length = 0;
    await post("/api/auth/email/forgot", { email: held.email });
    const reset = await post("/api/auth/email/reset", { token: await mailbox.tokenTo(held.email), password: OWNER });
    expect(reset.json()).toEqual({ success: true, startedClean: false });
    const login = (await post("/api/auth/email/login", { email: held.email, password: OWNER })).json();
    expect(login.user.id).toBe(held.user.id);
    expect((await get(`/api/digital-twins/${held.twinId}`, login.token)).statusCode).toBe(200);
  });

  test("an organisation that others had before stays: only the membership ends", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const member = await t.signUp({ organizationId, role: "user", confirmed: false });
    const [row] = await t.services.db.select().from(users).where(eq(users.id, member.caller.userId));
    await resetBy(row!.email!);
    const kept = await t.services.db.select().from(organizations).where(eq(organizations.id, organizationId));
    expect(kept).toHaveLength(1);
    expect((await admin.get("/api/auth/verify")).statusCode).toBe(200);
    expect(await t.services.db.select().from(invitations).where(eq(invitations.orgId, organizationId))).toEqual([]);
  });
});
