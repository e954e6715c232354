import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OrganizationSummary } from "#contract/organizations/platform.ts";
import { organizations } from "#server/platform/db/schema/accounts.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let mailbox: Mailbox;
let chief: TestClient;
beforeAll(async () => {
  t = await testApp();
  mailbox = openMailbox(t.services);
  chief = await t.signUp({ superAdmin: true });
});
afterAll(() => t.close());

const list = async (query = ""): Promise<OrganizationSummary[]> =>
  (await chief.get(`/api/admin/organizations${query}`)).json();
const one = (id: string) => `/api/admin/organizations/${id}`;

describe("organisations, for the platform's administrator", () => {
  test("one is created with an administrator who is invited by letter", async () => {
    const email = `${randomUUID()}@example.test`;
    const answer = await chief.post("/api/admin/organizations", { name: " Ромашка ", email });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ name: "Ромашка", users: 0, twins: 0, messages: 0, planName: "Starter" });
    const { id } = answer.json();
    const { letter, ...summary } = answer.json();
    expect(letter).toBe("mail");
    expect((await list())[0]).toEqual(summary);
    expect((await chief.get(one(id))).json()).toMatchObject({
      name: "Ромашка",
      subscription: { plan: { id: "starter" } },
    });
    expect((await chief.get(`${one(id)}/users`)).json()).toMatchObject([
      { email, role: "org_admin", status: "invited" },
    ]);
    const token = await mailbox.tokenTo(email);
    const entered = await t.anonymous.post("/api/auth/invitation/accept", { token, password: "верный пароль" });
    expect(entered.json().user).toMatchObject({ organizationId: id, role: "org_admin", superAdmin: false });
    expect((await list())[0]!.users).toBe(1);
  });

  test("one is renamed and gets another plan at once", async () => {
    const admin = await t.signUp();
    const id = admin.caller.organizationId;
    const changed = await chief.put(one(id), { name: "Новое имя", planId: "enterprise" });
    expect(changed.json()).toMatchObject({ name: "Новое имя", subscription: { plan: { id: "enterprise" } } });
    expect((await admin.get(`/api/organizations/${id}/subscription`)).json().plan.id).toBe("enterprise");
    expect((await list("?q=НОВОЕ"))[0]).toMatchObject({ id, name: "Новое имя", planName: "Enterprise", users: 1 });
    expect((await chief.put(one(id), {})).json().message).toBe("Нечего изменить");
    expect((await chief.put(one(id), { planId: "gold" })).statusCode).toBe(404);
    expect((await chief.put(one(randomUUID()), { name: "А" })).statusCode).toBe(404);
  });

  test("members of any can be managed by the same rules", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const bob = await t.signUp({ role: "user", organizationId });
    const users = `${one(organizationId)}/users`;
    expect((await chief.put(`${users}/${admin.caller.userId}`, { role: "user" })).statusCode).toBe(409);
    expect((await chief.put(`${users}/${bob.caller.userId}`, { role: "org_admin" })).statusCode).toBe(200);
    expect((await chief.delete(`${users}/${admin.caller.userId}`)).statusCode).toBe(204);
    expect((await admin.get("/api/auth/verify")).statusCode).toBe(401);
    expect((await chief.delete(`${users}/${bob.caller.userId}`)).statusCode).toBe(409);
    const email = `${randomUUID()}@example.test`;
    expect((await chief.post(users, { email, role: "org_admin" })).statusCode).toBe(201);
    const members = (await chief.get(users)).json();
    expect(members.map(({ email, id }: { email: string; id: string }) => [email, id])).toEqual([
      [email, expect.any(String)],
      [expect.any(String), bob.caller.userId],
    ]);
    expect((await chief.get(`${users}?after=${bob.caller.userId}`)).json()).toEqual([]);
    expect((await chief.get(`${users}?q=${email}`)).json()).toEqual([members[0]]);
  });

  test("no other administrator can manage them, whatever his role at home", async () => {
    const admin = await t.signUp();
    const id = admin.caller.organizationId;
    for (const answer of [
      await admin.get(one(id)),
      await admin.get(`${one(id)}/users`),
      await admin.put(one(id), { planId: "enterprise" }),
      await admin.post("/api/admin/organizations", { name: "А", email: "a@example.test" }),
      await admin.post(`${one(id)}/users`, { email: "a@example.test", role: "org_admin" }),
    ]) {
      expect(answer.statusCode).toBe(403);
    }
    expect((await admin.get(`/api/organizations/${id}/subscription`)).json().plan.id).toBe("starter");
  });

  test("are read page by page by key", async () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({ name: `Порция ${n}` }));
    await t.services.db.insert(organizations).values(rows);
    const first = await list("?q=Порция");
    expect(first).toHaveLength(50);
    const second = await list(`?q=${encodeURIComponent("Порция")}&after=${first.at(-1)!.id}`);
    expect(second).toHaveLength(10);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(60);
  });
});
