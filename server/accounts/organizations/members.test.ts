import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog, memberships, sessions, users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { ENDPOINT_CASES } from "#server/test/endpoints/endpoint-cases.ts";
import { send } from "#server/test/endpoints/send-case.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const pathOf = ({ caller }: TestClient) => `/api/organizations/${caller.organizationId}/users`;
const idOf = ({ caller }: TestClient) => caller.userId;
const join = (admin: TestClient, role: "user" | "org_admin" | "viewer") =>
  t.signUp({ role, organizationId: admin.caller.organizationId });

async function makeTwin(client: TestClient): Promise<string> {
  const key = "POST /api/digital-twins";
  return (await send(client, ENDPOINT_CASES[key]!, key, {} as Things)).json().id;
}

describe("the list of members", () => {
  test("names each member with the role and number of twins, the oldest first", async () => {
    const admin = await t.signUp();
    const bob = await join(admin, "user");
    await makeTwin(bob);
    await t.services.db
      .update(users)
      .set({ firstName: "Боб", lastName: "Ким" })
      .where(eq(users.id, idOf(bob)));
    const rows = (await admin.get(pathOf(admin))).json();
    expect(rows).toMatchObject([
      { id: idOf(admin), role: "org_admin", status: "active", twins: 0 },
      { id: idOf(bob), firstName: "Боб", lastName: "Ким", role: "user", status: "active", twins: 1 },
    ]);
  });

  test("can be read by administrators only, and only of their own organisation", async () => {
    const admin = await t.signUp();
    for (const role of ["user", "viewer"] as const) {
      expect((await (await join(admin, role)).get(pathOf(admin))).statusCode).toBe(403);
    }
    const stranger = await t.signUp();
    for (const path of ["users", "stats", "digital-twins", "subscription", "usage", "payments"]) {
      const answer = await stranger.get(`/api/organizations/${admin.caller.organizationId}/${path}`);
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
    expect((await stranger.get(`/api/organizations/${randomUUID()}/users`)).statusCode).toBe(404);
  });

  test("is searched regardless of case, and a wildcard counts as a character", async () => {
    const admin = await t.signUp();
    const bob = await join(admin, "user");
    await t.services.db
      .update(users)
      .set({ firstName: "Фёкла", lastName: "100%" })
      .where(eq(users.id, idOf(bob)));
    const found = async (q: string) =>
      (await admin.get(`${pathOf(admin)}?q=${encodeURIComponent(q)}`)).json().map(({ id }: { id: string }) => id);
    expect(await found("фЁКЛА")).toEqual([idOf(bob)]);
    expect(await found("100%")).toEqual([idOf(bob)]);
    expect(await found("%")).toEqual([idOf(bob)]);
    expect(await found("_")).toEqual([]);
    expect(await found("\\")).toEqual([]);
  });

  test("is read page by page by key", async () => {
    const admin = await t.signUp();
    const { db } = t.services;
    const many = Array.from({ length: 60 }, (_, n) => ({
      email: `${randomUUID()}@example.test`,
      authMethod: "email" as const,
      firstName: `Участник ${n}`,
    }));
    const rows = await db.insert(users).values(many).returning({ id: users.id });
    await db
      .insert(memberships)
      .values(rows.map(({ id }) => ({ orgId: admin.caller.organizationId, userId: id, role: "user" as const })));
    const first = (await admin.get(pathOf(admin))).json();
    expect(first).toHaveLength(50);
    const second = (await admin.get(`${pathOf(admin)}?after=${first.at(-1).id}`)).json();
    const ids = [...first, ...second].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(61);
    expect(ids).toHaveLength(61);
  });
});

describe("a role", () => {
  test("holds from the next request on and is logged", async () => {
    const admin = await t.signUp();
    const bob = await join(admin, "user");
    await makeTwin(bob);
    const answer = await admin.put(`${pathOf(admin)}/${idOf(bob)}`, { role: "viewer" });
    expect(answer.json()).toMatchObject({ id: idOf(bob), role: "viewer", twins: 1 });
    expect((await bob.post("/api/digital-twins", {})).statusCode).toBe(403);
    expect((await bob.get("/api/auth/verify")).json().user.role).toBe("viewer");
    const [entry] = await t.services.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subject, idOf(bob)), eq(auditLog.action, "role-changed")));
    expect(entry).toMatchObject({ userId: idOf(admin), detail: { from: "user", role: "viewer" } });
  });

  test("cannot be raised by the member himself", async () => {
    const admin = await t.signUp();
    for (const role of ["user", "viewer"] as const) {
      const member = await join(admin, role);
      const path = `${pathOf(admin)}/${idOf(member)}`;
      expect((await member.put(path, { role: "org_admin" })).statusCode).toBe(403);
      expect((await member.delete(`${pathOf(admin)}/${idOf(admin)}`)).statusCode).toBe(403);
      expect((await member.get("/api/auth/verify")).json().user.role).toBe(role);
    }
  });

  test("cannot be given across organisations, whichever of the two ids is foreign", async () => {
    const admin = await t.signUp();
    const bob = await join(admin, "user");
    const stranger = await t.signUp();
    expect((await stranger.put(`${pathOf(admin)}/${idOf(bob)}`, { role: "org_admin" })).statusCode).toBe(404);
    expect((await stranger.put(`${pathOf(stranger)}/${idOf(bob)}`, { role: "org_admin" })).statusCode).toBe(404);
    expect((await stranger.delete(`${pathOf(stranger)}/${idOf(bob)}`)).statusCode).toBe(404);
    expect((await bob.get("/api/auth/verify")).json().user.role).toBe("user");
  });

  test.each(["super_admin", "owner", "", null, ["org_admin"]])("is one of three: %j is refused", async (role) => {
    const admin = await t.signUp();
    expect((await admin.put(`${pathOf(admin)}/${idOf(admin)}`, { role })).statusCode).toBe(400);
  });
});

describe("the last administrator", () => {
  test("can neither step down nor leave while there is no other", async () => {
    const admin = await t.signUp();
    await join(admin, "user");
    for (const answer of [
      await admin.put(`${pathOf(admin)}/${idOf(admin)}`, { role: "user" }),
      await admin.delete(`${pathOf(admin)}/${idOf(admin)}`),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json().message).toBe("В организации должен остаться хотя бы один администратор");
    }
    const other = await join(admin, "org_admin");
    expect((await admin.put(`${pathOf(admin)}/${idOf(admin)}`, { role: "user" })).statusCode).toBe(200);
    expect((await other.delete(`${pathOf(admin)}/${idOf(other)}`)).statusCode).toBe(409);
  });

  test("remains one when two administrators demote each other at once", async () => {
    const admin = await t.signUp();
    const other = await join(admin, "org_admin");
    const answers = await Promise.all([
      admin.put(`${pathOf(admin)}/${idOf(other)}`, { role: "user" }),
      other.put(`${pathOf(admin)}/${idOf(admin)}`, { role: "user" }),
    ]);
    const left = await t.services.db
      .select()
      .from(memberships)
      .where(and(eq(memberships.orgId, admin.caller.organizationId), eq(memberships.role, "org_admin")));
    expect(left).toHaveLength(1);
    // The second one is refused as the last administrator, or where the first was quicker as none any more.
    const [done, refused] = answers.map(({ statusCode }) => statusCode).sort();
    expect([done, [403, 409].includes(refused!)]).toEqual([200, true]);
  });
});

describe("removal", () => {
  test("ends the member's sessions at once, passes his twins on paused and deletes his test chats", async () => {
    const admin = await t.signUp();
    const bob = await join(admin, "user");
    const [kept, twinId] = [await makeTwin(admin), await makeTwin(bob)];
    await bob.post("/api/ai-generate", { twinId, message: "Привет" });
    expect((await admin.delete(`${pathOf(admin)}/${idOf(bob)}`)).statusCode).toBe(204);
    expect((await bob.get("/api/auth/verify")).statusCode).toBe(401);
    expect((await bob.get("/api/digital-twins")).statusCode).toBe(401);
    expect(
      await t.services.db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, idOf(bob))),
    ).toEqual([]);
    expect((await admin.get(`/api/digital-twins/${twinId}`)).json()).toMatchObject({
      ownerId: idOf(admin),
      isActive: false,
    });
    expect((await admin.get(`/api/digital-twins/${kept}`)).json().isActive).toBe(true);
    const chats = await asTenant(t.services.db, admin.caller, (tx) =>
      tx
        .select()
        .from(conversations)
        .where(eq(conversations.userId, idOf(bob))),
    );
    expect(chats).toEqual([]);
    expect((await admin.delete(`${pathOf(admin)}/${idOf(bob)}`)).statusCode).toBe(404);
  });

  test("leaves the person's sessions and twins in other organisations alone", async () => {
    const admin = await t.signUp();
    const bob = await t.signUp();
    const twinId = await makeTwin(bob);
    await t.services.db
      .insert(memberships)
      .values({ orgId: admin.caller.organizationId, userId: idOf(bob), role: "user" });
    expect((await admin.delete(`${pathOf(admin)}/${idOf(bob)}`)).statusCode).toBe(204);
    expect((await bob.get(`/api/digital-twins/${twinId}`)).json()).toMatchObject({
      ownerId: idOf(bob),
      isActive: true,
    });
  });

  test("of an administrator by himself leaves his twins to the oldest remaining administrator", async () => {
    const admin = await t.signUp();
    const older = await join(admin, "org_admin");
    await join(admin, "org_admin");
    await makeTwin(admin);
    expect((await admin.delete(`${pathOf(admin)}/${idOf(admin)}`)).statusCode).toBe(204);
    const rows = await asTenant(t.services.db, older.caller, (tx) => tx.select().from(twins));
    expect(rows.map(({ ownerId }) => ownerId)).toEqual([idOf(older)]);
    expect((await admin.get("/api/auth/verify")).statusCode).toBe(401);
  });
});

describe("a person of several organisations", () => {
  test("switches between them within one session", async () => {
    const admin = await t.signUp();
    const bob = await t.signUp();
    const home = bob.caller.organizationId;
    const twinId = await makeTwin(bob);
    await t.services.db
      .insert(memberships)
      .values({ orgId: admin.caller.organizationId, userId: idOf(bob), role: "viewer" });
    const list = async () => (await bob.get("/api/auth/organizations")).json();
    expect(await list()).toMatchObject([
      { id: home, role: "org_admin", current: true },
      { id: admin.caller.organizationId, role: "viewer", current: false },
    ]);
    const { organizationId } = admin.caller;
    const { user } = (await bob.post("/api/auth/organization", { organizationId })).json();
    expect(user).toMatchObject({ organizationId, role: "viewer" });
    expect((await bob.get(`/api/digital-twins/${twinId}`)).statusCode).toBe(404);
    expect((await bob.post("/api/digital-twins", {})).statusCode).toBe(403);
    expect((await bob.get(`/api/organizations/${home}/stats`)).statusCode).toBe(404);
    expect((await list())[1].current).toBe(true);
    await bob.post("/api/auth/organization", { organizationId: home });
    expect((await bob.get(`/api/digital-twins/${twinId}`)).statusCode).toBe(200);
  });

  test("cannot switch to an organisation that is not his", async () => {
    const admin = await t.signUp();
    const stranger = await t.signUp();
    const answer = await stranger.post("/api/auth/organization", { organizationId: admin.caller.organizationId });
    expect(answer.statusCode).toBe(404);
    expect((await stranger.get("/api/auth/verify")).json().user.organizationId).toBe(stranger.caller.organizationId);
  });
});

describe("what a member has connected", () => {
  const KEY = { name: "Сайт", scopes: ["ask"], dailyMessages: 10, dailyTokens: 10_000 };
  const HOOK = { url: "https://example.com/h", events: ["reply.sent"], includeTexts: true, enabled: true };

  /** Bob's twin with a key, a webhook with a waiting delivery and an integration; and his webhook on the administrator's twin. */
  async function connected() {
    const admin = await t.signUp();
    const bob = await join(admin, "org_admin");
    const [own, other] = [await makeTwin(bob), await makeTwin(admin)];
    const token = (await bob.post(`/api/digital-twins/${own}/keys`, KEY)).json().token as string;
    const hook = (await bob.post(`/api/digital-twins/${own}/webhooks`, HOOK)).json().webhook.id as string;
    const elsewhere = (await bob.post(`/api/digital-twins/${other}/webhooks`, HOOK)).json().webhook.id as string;
    const kept = (await admin.post(`/api/digital-twins/${other}/webhooks`, HOOK)).json().webhook.id as string;
    const adminsKey = (await admin.post(`/api/digital-twins/${own}/keys`, KEY)).json().token as string;
    const integration = await bob.post("/api/integrations/create", {
      digitalTwinId: own,
      platform: "slack",
      apiKey: "xoxb-1",
      settings: { signing_secret: "s" },
    });
    expect(integration.statusCode).toBe(201);
    await asTenant(t.services.db, admin.caller, (tx) =>
      tx.insert(webhookDeliveries).values({
        orgId: admin.caller.organizationId,
        webhookId: hook,
        event: "reply.sent",
        payload: "{}",
        nextAttemptAt: new Date(Date.now() + 3600_000),
      }),
    );
    const works = async (key: string) =>
      (await t.app.inject({ url: "/v1/models", headers: { authorization: `Bearer ${key}` } })).statusCode;
    expect(await works(token)).toBe(200);
    const rows = () =>
      asTenant(t.services.db, admin.caller, async (tx) => ({
        hooks: await tx.select().from(webhooks).where(eq(webhooks.orgId, admin.caller.organizationId)),
        deliveries: await tx.select().from(webhookDeliveries),
        integrations: await tx.select().from(integrations),
      }));
    return { admin, bob, token, adminsKey, hook, elsewhere, kept, works, rows };
  }

  test("ends with the membership: keys, webhooks with their queue, integrations; those of others stay", async () => {
    const { admin, bob, token, adminsKey, kept, works, rows } = await connected();
    expect((await admin.delete(`${pathOf(admin)}/${idOf(bob)}`)).statusCode).toBe(204);
    const left = await rows();
    expect(left.hooks.map(({ id }) => id)).toEqual([kept]);
    expect(left.deliveries).toEqual([]);
    expect(left.integrations).toEqual([]);
    // They stay ended when he becomes a member again.
    await t.services.db
      .insert(memberships)
      .values({ orgId: admin.caller.organizationId, userId: idOf(bob), role: "org_admin" });
    expect(await works(token)).toBe(401);
    expect(await works(adminsKey)).toBe(200);
    const [written] = await t.services.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, "holdings-ended"), eq(auditLog.subject, idOf(bob))));
    expect(written!.detail).toEqual({ keys: 1, webhooks: 2, integrations: 1 });
  });

  test("stops when he becomes a viewer, and does not come back with a later role", async () => {
    const { admin, bob, token, hook, elsewhere, kept, works, rows } = await connected();
    expect((await admin.put(`${pathOf(admin)}/${idOf(bob)}`, { role: "viewer" })).statusCode).toBe(200);
    await admin.put(`${pathOf(admin)}/${idOf(bob)}`, { role: "org_admin" });
    expect(await works(token)).toBe(401);
    const left = await rows();
    const enabled = new Map(left.hooks.map(({ id, enabled }) => [id, enabled]));
    expect([enabled.get(hook), enabled.get(elsewhere), enabled.get(kept)]).toEqual([false, false, true]);
    expect(left.deliveries.map(({ state }) => state)).toEqual(["failed"]);
    expect(left.integrations.map(({ status }) => status)).toEqual(["inactive"]);
  });
});
