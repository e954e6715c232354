/** Webhooks report what happens to a twin: signed, retried until they arrive, and only to public addresses. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eq, sql } from "drizzle-orm";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type NewWebhook,
  WEBHOOKS_LIMIT,
  type WebhookDelivery,
  type WebhookInput,
} from "#contract/integrations/webhooks.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { checkAddress, requestPublic } from "#server/platform/network/public-request.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { deliverWebhook, dueWebhooks } from "./deliver.ts";

let t: TestApp;
let owner: TestClient;
let things: Things;
let receiver: Server;
let received: { headers: IncomingHttpHeaders; body: string }[];
let answers: number[];
beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp();
  things = await makeThings(t, owner);
  await owner.delete(`/api/digital-twins/${things.twinId}/webhooks/${things.webhookId}`);
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    received.push({ headers: request.headers, body });
    response.writeHead(answers.shift() ?? 204, { location: "http://127.0.0.1:9/elsewhere" }).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
beforeEach(() => {
  received = [];
  answers = [];
});
afterAll(async () => {
  receiver.close();
  await t.close();
});

const BODY = { events: ["takeover.started"], includeTexts: false, enabled: true } satisfies Omit<WebhookInput, "url">;
const at = (path = "") => `/api/digital-twins/${things.twinId}/webhooks${path}`;
async function create(fields: Partial<WebhookInput> = {}): Promise<NewWebhook> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const answer = await owner.post(at(), { ...BODY, url, ...fields });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}
/** Does what the supervisor does every two seconds. */
async function sweep(): Promise<void> {
  for (const job of await asPlatform(t.services.db, dueWebhooks))
    await deliverWebhook(t.services, job, new AbortController().signal);
}
const logOf = async (id: string): Promise<WebhookDelivery[]> => (await owner.get(at(`/${id}/deliveries`))).json();
const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) => asTenant(t.services.db, owner.caller, work);
const takeOver = () => owner.post(`/api/conversations/${things.talkId}/pause`);
const remove = (id: string) => owner.delete(at(`/${id}`));

test("an event arrives signed, without words unless they were asked for; a changed secret signs beside the old one", async () => {
  const plain = await create();
  const wordy = await create({ includeTexts: true });
  await create({ events: ["draft.created"] });
  await takeOver();
  await sweep();
  expect(received).toHaveLength(2);
  const told = received.map(({ body }) => JSON.parse(body));
  const ids = { twinId: things.twinId, conversationId: things.talkId, platform: "telegram", until: expect.any(String) };
  expect(told.map(({ data }) => data)).toEqual(expect.arrayContaining([ids, { ...ids, contactName: "Иван" }]));
  const first = received.find(({ body }) => !body.includes("Иван"))!;
  expect(new Verifier(plain.secret).verify(first.body, first.headers as Record<string, string>)).toMatchObject({
    type: "takeover.started",
  });
  expect(() => new Verifier(wordy.secret).verify(first.body, first.headers as Record<string, string>)).toThrow();
  expect(() => new Verifier(plain.secret).verify(`${first.body} `, first.headers as Record<string, string>)).toThrow();

  const { secret } = (await owner.post(at(`/${plain.webhook.id}/secret`))).json<NewWebhook>();
  received = [];
  await takeOver();
  await sweep();
  const later = received.find(({ body }) => !body.includes("Иван"))!;
  for (const valid of [secret, plain.secret]) {
    new Verifier(valid).verify(later.body, later.headers as Record<string, string>);
  }
  await inTenant((tx) => tx.update(webhooks).set({ previousUntil: new Date(0) }));
  received = [];
  await takeOver();
  await sweep();
  const last = received.find(({ body }) => !body.includes("Иван"))!;
  expect(() => new Verifier(plain.secret).verify(last.body, last.headers as Record<string, string>)).toThrow();
  const { rows } = await t.services.db.execute(sql`select encode(secret, 'escape') as secret from webhooks`);
  expect(JSON.stringify(rows)).not.toContain("whsec_");
  for (const { id } of (await owner.get(at())).json()) await remove(id);
});

test("what is not taken is sent again with growing pauses for more than a day, then given up; the owner can send it once more", async () => {
  const { webhook } = await create();
  answers = [500, 302];
  await owner.post(at(`/${webhook.id}/test`));
  await t.jobsIdle();
  // A redirect is not followed.
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    const [row] = await inTenant((tx) =>
      tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhook.id)),
    );
    expect(row!.attempts).toBe(attempt);
    if (row!.state === "failed") break;
    waited += row!.nextAttemptAt.getTime() - Date.now();
    answers.unshift(attempt === 1 ? 302 : 503);
    await inTenant((tx) => tx.update(webhookDeliveries).set({ nextAttemptAt: new Date() }));
    await sweep();
  }
  expect(waited).toBeGreaterThan(24 * 3600_000);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const [failed] = await logOf(webhook.id);
  expect(failed).toMatchObject({ event: "webhook.test", state: "failed", status: 503, error: "Ответ 503" });
  answers = [];
  expect((await owner.post(at(`/${webhook.id}/deliveries/${failed!.id}/resend`))).statusCode).toBe(202);
  await t.jobsIdle();
  expect(await logOf(webhook.id)).toMatchObject([{ id: failed!.id, state: "delivered", status: 204 }]);

  // It is switched off after three days without a success, or at once when the address responds with 410.
  answers = [500];
  await inTenant((tx) => tx.update(webhooks).set({ failingSince: new Date(Date.now() - 4 * 24 * 3600_000) }));
  await takeOver();
  await sweep();
  const [off] = (await owner.get(at())).json();
  expect(off).toMatchObject({ enabled: false, disabledReason: "Три дня подряд ничего не удалось доставить" });
  expect((await owner.get("/api/activity/recent")).body).toContain("Вебхук отключён");
  await takeOver();
  await sweep();
  expect(received.filter(({ body }) => body.includes("takeover.started"))).toHaveLength(1);
  const { url, events, includeTexts } = webhook;
  const on = await owner.put(at(`/${webhook.id}`), { url, events, includeTexts, enabled: true });
  expect(on.json()).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
});

test("a private address, one webhook too many, and what is not there are refused; an address without a server is tried again", async () => {
  const refused = async (url: string) => (await owner.post(at(), { ...BODY, url })).json();
  expect(await refused("https://10.0.0.1/hook")).toMatchObject({
    ...{ code: "invalid_input", fields: { url: expect.stringContaining("публичный адрес") } },
  });
  const { webhook } = await create({ url: "http://127.0.0.1:9/hook" });
  await owner.post(at(`/${webhook.id}/test`));
  await t.jobsIdle();
  const [waiting] = await logOf(webhook.id);
  expect(waiting).toMatchObject({ state: "pending", status: null, error: "Не удалось соединиться" });
  expect(Date.parse(waiting!.nextAttemptAt!)).toBeGreaterThan(Date.now());
  const missing = randomUUID();
  expect((await owner.get(at(`/${missing}/deliveries`))).json().code).toBe("webhook_not_found");
  const resent = await owner.post(at(`/${webhook.id}/deliveries/${missing}/resend`));
  expect(resent.json().code).toBe("delivery_not_found");
  const made = [webhook.id];
  for (;;) {
    const answer = await owner.post(at(), { ...BODY, url: "https://example.org/hook" });
    if (answer.statusCode !== 201) {
      expect(answer.json().code).toBe("too_many_webhooks");
      break;
    }
    made.push(answer.json<NewWebhook>().webhook.id);
  }
  expect((await owner.get(at())).json()).toHaveLength(WEBHOOKS_LIMIT);
  for (const id of made) expect((await remove(id)).statusCode).toBe(204);
});

describe("an address that a user gives", () => {
  const PRIVATE = [
    "http://example.org/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
    "https://metadata.google.internal/",
    "https://printer.local/",
    "https://intranet/",
    "https://user:pass@example.org/",
  ];
  test.each(PRIVATE)("%s is not asked", async (url) => {
    expect(() => checkAddress(new URL(url), false)).toThrow(PrivateAddress);
    const request = { method: "POST", headers: {}, body: "", timeoutMs: 100, loopback: false, maxBytes: 0 } as const;
    await expect(async () => requestPublic(new URL(url), request)).rejects.toThrow(PrivateAddress);
  });

  test("public ones pass", () => {
    for (const url of ["https://example.org/hooks?x=1", "https://93.184.216.34/", "https://[2606:2800:220:1::1]/"]) {
      expect(() => checkAddress(new URL(url), false)).not.toThrow();
    }
  });
});
