import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultPlans, listedBy } from "#contract/plans/default-plans.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { payments, subscriptionPlans } from "#server/platform/db/schema/accounts.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";
import { ENDPOINT_CASES } from "#server/test/endpoints/endpoint-cases.ts";
import { send } from "#server/test/endpoints/send-case.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let chief: TestClient;
beforeAll(async () => {
  t = await testApp();
  chief = await t.signUp({ superAdmin: true });
});
afterAll(() => t.close());

const of = ({ caller }: TestClient, part: string) => `/api/organizations/${caller.organizationId}/${part}`;
const subscription = async (client: TestClient) => (await client.get(of(client, "subscription"))).json();
const choose = (client: TestClient, planId: string) => client.put(of(client, "subscription"), { planId });
const invoices = async (client: TestClient) => (await client.get(of(client, "payments"))).json();
const settle = (id: string, status: string, client = chief) => client.put(`/api/admin/payments/${id}`, { status });

test("a new installation sells what the landing page prints, at the same price to all", async () => {
  const expected = defaultPlans.map((plan) => ({
    id: plan.id,
    name: plan.name,
    description: plan.description,
    price: plan.price,
    billingPeriod: "month",
    features: listedBy(plan),
  }));
  expect((await t.anonymous.get("/api/public-plans")).json()).toEqual(expected);
  const own = await (await t.signUp()).get("/api/subscription-plans");
  expect(own.json()).toEqual(expected.map((plan) => ({ ...plan, isActive: true })));
});

describe("a subscription", () => {
  test("begins with the free plan", async () => {
    expect(await subscription(await t.signUp())).toMatchObject({
      plan: { id: "starter", price: 0 },
      status: "active",
      since: null,
      pending: null,
    });
  });

  test("to a paid plan is an invoice, and acts when the platform's administrator marks it as paid", async () => {
    const admin = await t.signUp();
    const asked = (await choose(admin, "business")).json();
    expect(asked).toMatchObject({ plan: { id: "starter" }, pending: { planId: "business", amount: 4999 } });
    expect(await invoices(admin)).toMatchObject([{ planName: "Business", status: "pending", paidAt: null }]);
    const { id } = asked.pending;
    expect((await settle(id, "paid", admin)).statusCode).toBe(403);
    expect(await subscription(admin)).toMatchObject({ plan: { id: "starter" } });
    expect((await settle(id, "paid")).json()).toMatchObject({
      status: "paid",
      organizationId: admin.caller.organizationId,
      organizationName: "Тестовая",
    });
    expect(await subscription(admin)).toMatchObject({ plan: { id: "business" }, pending: null });
    expect((await settle(id, "cancelled")).statusCode).toBe(409);
    expect((await settle(id, "paid")).statusCode).toBe(409);
  });

  test("stays as it is when the invoice is cancelled", async () => {
    const admin = await t.signUp();
    const { pending } = (await choose(admin, "enterprise")).json();
    expect((await settle(pending.id, "cancelled")).json()).toMatchObject({ status: "cancelled", paidAt: null });
    expect(await subscription(admin)).toMatchObject({ plan: { id: "starter" }, pending: null });
  });

  test("asked for twice is one invoice; another plan takes its place; the plan of now takes it back", async () => {
    const admin = await t.signUp();
    await Promise.all([choose(admin, "business"), choose(admin, "business")]);
    expect(await invoices(admin)).toHaveLength(1);
    await choose(admin, "enterprise");
    const statuses = async () => (await invoices(admin)).map(({ status }: { status: string }) => status).sort();
    expect(await statuses()).toEqual(["cancelled", "pending"]);
    expect((await choose(admin, "starter")).json().pending).toBeNull();
    expect(await statuses()).toEqual(["cancelled", "cancelled"]);
    expect((await choose(admin, "starter")).statusCode).toBe(409);
  });

  test("to the free plan acts at once", async () => {
    const admin = await t.signUp();
    const { pending } = (await choose(admin, "business")).json();
    await settle(pending.id, "paid");
    expect((await choose(admin, "starter")).json()).toMatchObject({ plan: { id: "starter" } });
  });

  test("is chosen by administrators only, and only for a plan that is on offer", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    for (const role of ["user", "viewer"] as const) {
      const member = await t.signUp({ role, organizationId });
      expect((await choose(member, "business")).statusCode).toBe(403);
      expect((await member.get(of(member, "payments"))).statusCode).toBe(403);
    }
    expect((await choose(admin, "gold")).statusCode).toBe(404);
    const { db } = t.services;
    await db.update(subscriptionPlans).set({ isActive: false }).where(eq(subscriptionPlans.id, "enterprise"));
    expect((await choose(admin, "enterprise")).statusCode).toBe(404);
    const offered = (await admin.get("/api/subscription-plans")).json();
    expect(offered.map(({ id }: { id: string }) => id)).toEqual(["starter", "business"]);
    const all = (await chief.get("/api/admin/subscription-plans")).json();
    expect(all.map(({ id }: { id: string }) => id)).toEqual(["starter", "business", "enterprise"]);
    await db.update(subscriptionPlans).set({ isActive: true }).where(eq(subscriptionPlans.id, "enterprise"));
  });

  test("tells of a waiting invoice to administrators only", async () => {
    const admin = await t.signUp();
    await choose(admin, "business");
    const caller = await t.signUp({ role: "viewer", organizationId: admin.caller.organizationId });
    expect((await subscription(caller)).pending).toBeNull();
  });
});

describe("a plan", () => {
  const body = {
    name: "Business",
    description: "Для растущей команды",
    price: 5999,
    billingPeriod: "year",
    isActive: true,
    features: ["Одно", "Другое"],
  };

  test("is edited, and an invoice keeps the price that it was made with", async () => {
    const admin = await t.signUp();
    await choose(admin, "business");
    const answer = await chief.put("/api/admin/subscription-plans/business", body);
    expect(answer.json()).toEqual({ id: "business", ...body });
    expect((await invoices(admin))[0].amount).toBe(4999);
    await chief.put("/api/admin/subscription-plans/business", { ...body, price: 4999, billingPeriod: "month" });
  });

  test.each([
    [{ price: -1 }, "Цена не может быть отрицательной"],
    [{ price: 1.5 }, "Цена — целое число рублей"],
    [{ name: " " }, "Укажите название плана"],
    [{ features: [""] }, "Возможность не может быть пустой"],
  ])("with %j is refused", async (change, message) => {
    const answer = await chief.put("/api/admin/subscription-plans/business", { ...body, ...change });
    expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
  });

  test("that every organisation begins with stays free and on offer", async () => {
    for (const change of [{ price: 1 }, { price: 0, isActive: false }]) {
      const answer = await chief.put("/api/admin/subscription-plans/starter", { ...body, ...change });
      expect(answer.statusCode).toBe(422);
    }
    expect((await chief.put("/api/admin/subscription-plans/gold", body)).statusCode).toBe(404);
  });
});

describe("figures", () => {
  test("of an organisation are measured, and are its own", async () => {
    const admin = await t.signUp();
    const stranger = await t.signUp();
    const key = "POST /api/digital-twins";
    const twinId = (await send(admin, ENDPOINT_CASES[key]!, key, {} as Things)).json().id;
    await send(stranger, ENDPOINT_CASES[key]!, key, {} as Things);
    for (const message of ["Привет", "Как дела?"]) await admin.post("/api/ai-generate", { twinId, message });
    const lastMonth = usageDay(new Date(Date.now() - 40 * 86_400_000));
    const orgId = admin.caller.organizationId;
    await asTenant(t.services.db, admin.caller, async (tx) => {
      await tx.insert(dailyUsage).values({ orgId, twinId, day: lastMonth, messages: 100 });
      await tx.insert(documents).values({
        orgId,
        twinId,
        name: "a",
        type: "faq",
        content: "я".repeat(500),
        contentHash: "x",
      });
    });
    expect((await admin.get(of(admin, "stats"))).json()).toEqual({
      totalUsers: 1,
      digitalTwins: 1,
      totalMessages: 102,
      activeIntegrations: 0,
    });
    const usage = (await admin.get(of(admin, "usage"))).json();
    expect(usage).toMatchObject({ apiCalls: 2, messages: 2, twins: 1, integrations: 0 });
    expect(usage.storageBytes).toBeGreaterThanOrEqual(1000);
    expect(usage.daily[0].day).toBe(usage.since);
    expect(usage.daily.at(-1)).toEqual({ day: usageDay(new Date()), messages: 2 });
    expect(usage.daily).toHaveLength(Number(usageDay(new Date()).slice(8)));
    // Answers from before the month do not count.
    await asTenant(t.services.db, admin.caller, (tx) =>
      tx.update(conversationMessages).set({ createdAt: new Date(Date.now() - 40 * 86_400_000) }),
    );
    expect((await admin.get(of(admin, "usage"))).json().apiCalls).toBe(0);
    expect((await admin.get(of(admin, "digital-twins"))).json()).toMatchObject([
      { id: twinId, ownerName: "Тест", messages: 102, isActive: true },
    ]);
    const caller = await t.signUp({ role: "viewer", organizationId: orgId });
    expect((await caller.get(of(caller, "digital-twins"))).json()).toMatchObject([{ id: twinId, ownerName: null }]);
  });

  test("of the platform count all organisations, for its administrator alone", async () => {
    const before = (await chief.get("/api/admin/platform/stats")).json();
    const admin = await t.signUp();
    const key = "POST /api/digital-twins";
    const twinId = (await send(admin, ENDPOINT_CASES[key]!, key, {} as Things)).json().id;
    await admin.post("/api/ai-generate", { twinId, message: "Привет" });
    const after = (await chief.get("/api/admin/platform/stats")).json();
    expect(after).toEqual({
      totalOrganizations: before.totalOrganizations + 1,
      totalUsers: before.totalUsers + 1,
      totalDigitalTwins: before.totalDigitalTwins + 1,
      totalMessages: before.totalMessages + 1,
    });
    const days = (await chief.get("/api/admin/platform/daily")).json();
    expect(days).toHaveLength(14);
    expect(days.at(-1)).toEqual({
      day: usageDay(new Date()),
      messages: expect.any(Number),
      newUsers: after.totalUsers,
    });
    expect(days.at(-1).messages).toBeGreaterThan(0);
    for (const path of ["platform/stats", "platform/daily", "organizations", "subscription-plans", "payments"]) {
      expect([path, (await admin.get(`/api/admin/${path}`)).statusCode]).toEqual([path, 403]);
    }
  });
});

describe("invoices of all organisations", () => {
  test("are listed newest first, those that wait apart", async () => {
    const [one, two] = [await t.signUp(), await t.signUp()];
    const first = (await choose(one, "business")).json().pending;
    const second = (await choose(two, "business")).json().pending;
    const ids = async (query: string) =>
      (await chief.get(`/api/admin/payments${query}`)).json().map(({ id }: { id: string }) => id);
    expect((await ids("?status=pending")).slice(0, 2)).toEqual([second.id, first.id]);
    expect((await ids(`?after=${second.id}`))[0]).toBe(first.id);
    await settle(second.id, "cancelled");
    expect((await ids("?status=pending"))[0]).toBe(first.id);
    const rows = await asTenant(t.services.db, one.caller, (tx) => tx.select().from(payments));
    expect(rows.map(({ id }) => id)).toEqual([first.id]);
  });
});
