import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { type Access, endpoint } from "#contract/endpoint.ts";
import { createSession } from "#server/accounts/auth/sessions.ts";
import { createApp } from "#server/app.ts";
import { memberships, organizations, sessions, users } from "#server/platform/db/schema/accounts.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { route } from "./route.ts";

const ACCESSES = ["public", "signed-in", "editor", "org_admin", "super_admin"] as const satisfies readonly Access[];
const Anything = z.looseObject({});

/** One endpoint for each kind of access, which returns the caller that the handler received. */
const probes = ACCESSES.map((access) =>
  endpoint(`POST /api/probe/${access}`, {
    access,
    refreshes: "nothing",
    summary: "Проба",
    input: Anything,
    output: Anything,
  }),
);

let t: TestApp;
/** The product's app with the probe endpoints mounted like those of every feature. */
let app: FastifyInstance;
beforeAll(async () => {
  t = await testApp();
  app = await createApp(t.services);
  for (const probe of probes) route(app, probe, ({ caller }) => ({ ...caller }));
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await t.close();
});

const probe = (access: Access, client?: Pick<TestClient, "token">, claims: object = {}, headers = {}) =>
  app.inject({
    method: "POST",
    url: `/api/probe/${access}`,
    payload: claims,
    headers: { ...headers, ...(client === undefined ? {} : { authorization: `Bearer ${client.token}` }) },
  });
const statuses = async (client?: TestClient) =>
  Object.fromEntries(
    await Promise.all(ACCESSES.map(async (access) => [access, (await probe(access, client)).statusCode])),
  );

describe("who may call", () => {
  test("without a session only public calls are allowed", async () => {
    const refused = { "signed-in": 401, editor: 401, org_admin: 401, super_admin: 401 };
    expect(await statuses()).toEqual({ public: 200, ...refused });
  });

  test.each([
    ["viewer", { editor: 403, org_admin: 403 }],
    ["user", { editor: 200, org_admin: 403 }],
    ["org_admin", { editor: 200, org_admin: 200 }],
  ] as const)("a %s what the role in the organisation reaches, never the platform", async (role, reached) => {
    const member = await t.signUp({ role });
    expect(await statuses(member)).toEqual({ public: 200, "signed-in": 200, ...reached, super_admin: 403 });
  });

  test("a platform administrator may manage the platform, but in an organisation has only the role there", async () => {
    const chief = await t.signUp({ role: "viewer", superAdmin: true });
    expect(await statuses(chief)).toMatchObject({ super_admin: 200, org_admin: 403, editor: 403 });
  });

  test("a platform administrator who lost the role is refused from the next request on", async () => {
    const chief = await t.signUp({ superAdmin: true });
    expect((await probe("super_admin", chief)).statusCode).toBe(200);
    await t.services.db.update(users).set({ superAdmin: false }).where(eq(users.id, chief.caller.userId));
    const refused = await probe("super_admin", chief);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: "forbidden" });
  });
});

describe("the organisation of a call", () => {
  test("is the session's organisation, whatever a client claims in the body, query or headers", async () => {
    const ann = await t.signUp();
    const { organizationId, userId } = (await t.signUp()).caller;
    const claims = { organizationId, orgId: organizationId, userId, role: "org_admin", superAdmin: true };
    const headers = { "x-organization-id": organizationId, "x-org-id": organizationId, "x-user-id": userId };
    for (const access of ["signed-in", "org_admin"] as const) {
      expect((await probe(access, ann, claims, headers)).json()).toMatchObject(ann.caller);
    }
    expect((await probe("super_admin", ann, claims, headers)).statusCode).toBe(403);
  });

  test("must be one that the user is a member of, otherwise the session is invalid", async () => {
    const ann = await t.signUp();
    const { organizationId } = (await t.signUp()).caller;
    await t.services.db.update(sessions).set({ orgId: organizationId }).where(eq(sessions.userId, ann.caller.userId));
    expect((await probe("signed-in", ann)).statusCode).toBe(401);
  });

  test("is, for a member of two, the one that the member signed in to, with the role there", async () => {
    const ann = await t.signUp({ role: "org_admin" });
    const { db } = t.services;
    const [second] = await db.insert(organizations).values({ name: "Вторая" }).returning({ id: organizations.id });
    const { userId } = ann.caller;
    await db.insert(memberships).values({ orgId: second!.id, userId, role: "viewer" });
    const there = await createSession(db, { userId, organizationId: second!.id, bound: false });
    expect((await probe("signed-in", there)).json()).toMatchObject({ organizationId: second!.id, role: "viewer" });
    expect((await probe("org_admin", there)).statusCode).toBe(403);
    expect((await probe("org_admin", ann)).json()).toMatchObject(ann.caller);
  });
});

describe("the mounted calls", () => {
  test("under /api/admin are for platform administrators only, and those for models for the operator", () => {
    const open = t.app.endpoints.filter(({ path, access }) => isUnder(path, "/api/admin") && access !== "super_admin");
    expect(open).toEqual([]);
  });

  test("that name an organisation reveal nothing about it to strangers of any role", async () => {
    const { organizationId } = (await t.signUp()).caller;
    const strangers = [await t.signUp(), await t.signUp({ role: "viewer" })];
    const reads = t.app.endpoints.filter(
      ({ path, method }) => isUnder(path, "/api/organizations") && path.includes(":") && method === "GET",
    );
    for (const { path } of reads) {
      for (const stranger of strangers) {
        const answer = await stranger.get(path.replace(/:\w+/g, organizationId));
        expect([403, 404], `${path}: ${answer.statusCode}`).toContain(answer.statusCode);
      }
    }
  });
});

const isUnder = (path: string, root: string) => path === root || path.startsWith(`${root}/`);
