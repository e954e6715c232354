/** The audit log for its readers: limited to each organisation, paged, filtered, exported as a table; nothing in it can be changed. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AUDIT_ACTIONS, AUDIT_GROUPS, type AuditEntry } from "#contract/organizations/audit.ts";
import { PAGE_SIZE } from "#contract/organizations/organizations.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import { sqlState } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { EXPORT_CALLS } from "./audit-log.ts";

let t: TestApp;
let ann: TestClient;
let boris: TestClient;
let things: Things;
beforeAll(async () => {
  t = await testApp();
  [ann, boris] = [await t.signUp(), await t.signUp()];
  things = await makeThings(t, ann);
});
afterAll(() => t.close());

const address = (who: TestClient) => `/api/organizations/${who.caller.organizationId}/audit`;
async function read(who: TestClient, query = ""): Promise<AuditEntry[]> {
  const answer = await who.get(`${address(who)}${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const actionsOf = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action);

test("actions on twins, keys, webhooks, platforms and members are logged with a sentence and the member who did them", async () => {
  await ann.put(`/api/integrations/${things.integrationId}`, { autonomy: "off" });
  await ann.post(`${address(ann).replace("/audit", "/users")}`, {
    email: "guest@example.test",
    firstName: "А",
    lastName: "Б",
    role: "user",
  });
  await ann.delete(`/api/knowledge/documents/${things.documentId}`);
  await ann.delete(`/api/conversations/${things.conversationId}`);
  await ann.delete(`/api/digital-twins/${things.twinId}/keys/${things.keyId}`);
  const entries = await read(ann);
  expect(new Set(actionsOf(entries))).toEqual(
    new Set([
      "tool-created",
      "twin-created",
      "integration-created",
      "integration-changed",
      "api-key-created",
      "api-key-revoked",
      "webhook-created",
      "website-added",
      "invitation",
      "document-deleted",
      "conversation-deleted",
    ]),
  );
  for (const { sentence, actor } of entries) {
    expect(sentence).toMatch(/^[А-ЯЁ]/u);
    expect(actor).toEqual({ id: ann.caller.userId, name: "Тест" });
  }
  const of = (action: string) => entries.find((entry) => entry.action === action)!;
  expect(of("twin-created")).toMatchObject({ sentence: "Создан двойник", subject: "«Анна»" });
  expect(of("integration-changed").details).toEqual([{ label: "изменено", value: "самостоятельность" }]);
  // The log outlives accounts, so it contains no complete address.
  expect(of("invitation")).toMatchObject({
    subject: "g…@example.test",
    details: [{ label: "роль", value: "участник" }],
  });
});

test("the log can be filtered by member, action, words and days, and is read page by page", async () => {
  expect(new Set(actionsOf(await read(ann, "?what=group:access")))).toEqual(
    new Set(["api-key-created", "api-key-revoked", "tool-created", "webhook-created"]),
  );
  expect(actionsOf(await read(ann, "?what=twin-created"))).toEqual(["twin-created"]);
  expect(actionsOf(await read(ann, `?q=${encodeURIComponent("создан двойник")}`))).toEqual(["twin-created"]);
  expect(actionsOf(await read(ann, "?q=g…@example"))).toEqual(["invitation"]);
  expect(await read(ann, "?q=%25")).toEqual([]);
  expect(await read(ann, `?who=${boris.caller.userId}`)).toEqual([]);
  expect(await read(ann, "?to=2020-01-01")).toEqual([]);
  expect((await read(ann, "?from=2020-01-01")).length).toBeGreaterThan(5);
  const { organizationId, userId } = boris.caller;
  for (let n = 0; n < PAGE_SIZE + 3; n++)
    await audit(t.services.db, { action: "twins-stopped", organizationId, userId });
  const first = await read(boris);
  expect(first).toHaveLength(PAGE_SIZE);
  const rest = await read(boris, `?after=${first.at(-1)!.id}`);
  expect(rest).toHaveLength(3);
  expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(PAGE_SIZE + 3);
});

test("an organisation's log is read by its administrators alone; the platform's administrator reads all logs", async () => {
  const user = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
  expect((await user.get(address(ann))).statusCode).toBe(403);
  expect((await boris.get(address(ann))).statusCode).toBe(404);
  expect((await ann.get("/api/admin/audit")).statusCode).toBe(403);
  const root = await t.signUp({ superAdmin: true });
  const all = (await root.get("/api/admin/audit?what=twin-created")).json<AuditEntry[]>();
  expect(all).toMatchObject([{ action: "twin-created", organization: "Тестовая", subject: null }]);
  const exported = await ann.post(`${address(ann)}/export`, { format: "csv", what: "twin-created" });
  expect(exported.json()).toMatchObject({ complete: true, entries: [{ action: "twin-created" }] });
  expect(await read(ann, "?what=audit-exported")).toMatchObject([{ details: [{ label: "строк", value: "1" }] }]);
});

test("an export is limited, and neither it nor its repetition fills the store of repeated requests", async () => {
  const limited = await testApp({ requestsPerMinute: 600 });
  try {
    const cleo = await limited.signUp();
    const headers = { "idempotency-key": "once-more" };
    const post = () =>
      cleo.inject({ method: "POST", url: `${address(cleo)}/export`, payload: { format: "csv" }, headers });
    const first = await post();
    // A repeated request reads the log again instead of returning a stored response.
    const again = await post();
    expect([first.statusCode, again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, 200, undefined]);
    expect(again.json().entries.length).toBeGreaterThan(first.json().entries.length);
    const { rows } = await limited.services.db.execute(sql`select from idempotency_keys`);
    expect(rows).toEqual([]);
    for (let calls = 2; calls < EXPORT_CALLS.rateLimit.max; calls++) expect((await post()).statusCode).toBe(200);
    const last = await post();
    expect([last.statusCode, last.json().code]).toEqual([429, "too_many_requests"]);
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(60);
  } finally {
    await limited.close();
  }
});

test("every action has a sentence of its own in a known group, and entries cannot be changed or deleted", async () => {
  const sentences = Object.values(AUDIT_ACTIONS).map(({ sentence }) => sentence);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const { group } of Object.values(AUDIT_ACTIONS)) expect(Object.keys(AUDIT_GROUPS)).toContain(group);
  for (const change of [sql`update ${auditLog} set action = 'x'`, sql`delete from ${auditLog}`]) {
    const failed = await t.services.db.execute(change).catch((error: unknown) => error);
    expect(sqlState(failed)).toBeDefined();
  }
});
