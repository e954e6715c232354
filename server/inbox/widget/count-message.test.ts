import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { widgetAddresses } from "#server/platform/db/schema/programs.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { countMessage } from "./count-message.ts";
import { openWidget } from "./visitor-conversation.ts";

let t: TestApp;
let owner: TestClient;
beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp();
});
afterAll(async () => {
  vi.useRealTimers();
  await t.close();
});

async function newWidget(dailyMessages: number) {
  const twin = await owner.post("/api/digital-twins", TWIN);
  const saved = await owner.put(`/api/digital-twins/${twin.json().id}/widget`, {
    enabled: true,
    allowedSites: [],
    title: "Спросите нас",
    greeting: "Здравствуйте!",
    color: "#0f5f63",
    autonomy: "draft",
    dailyMessages,
  });
  const id: string = saved.json().id;
  return { id, widget: await openWidget(t.services.db, id) };
}

async function letIn(
  widget: Awaited<ReturnType<typeof newWidget>>["widget"],
  messages: number,
  address: (at: number) => string,
) {
  const all = Array.from({ length: messages }, (_, at) => countMessage(t.services.db, widget, address(at)));
  return (await Promise.allSettled(all)).filter(({ status }) => status === "fulfilled").length;
}

test("an address that floods a widget is stopped, and other visitors are still answered", async () => {
  const { id, widget } = await newWidget(100);
  expect(await letIn(widget, 150, () => "198.51.100.7")).toBeLessThanOrEqual(15);
  const say = (remoteAddress: string) =>
    t.anonymous.inject({
      method: "POST",
      url: `/widget/${id}/messages`,
      remoteAddress,
      headers: { "x-visitor": randomBytes(32).toString("base64url") },
      payload: { id: randomUUID(), text: "Здравствуйте!" },
    });
  // The refusal comes before any stream: a status other than 200 means that the message was not stored.
  const refused = await say("198.51.100.7");
  expect(refused.statusCode, refused.body).toBe(429);
  expect(refused.json()).toMatchObject({ code: "address_quota", message: expect.stringMatching(/через час\.$/) });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const { body } = await say("203.0.113.9");
  expect(body).toContain("event: done");
  expect(body).not.toContain("event: error");
});

test("an address has hourly and daily limits, and its refused messages do not count towards the widget's limit", async () => {
  const { id, widget } = await newWidget(400);
  const noon = Date.parse("2026-05-05T09:00:00Z");
  const at = async (hours: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: noon + hours * 3_600_000 });
    const count = await letIn(widget, 70, () => "198.51.100.7");
    vi.useRealTimers();
    return count;
  };
  // 15 percent of 400 are 60 a day, 20 an hour.
  expect([await at(0), await at(0.5), await at(1), await at(2), await at(3)]).toEqual([20, 0, 20, 20, 0]);
  expect(await at(24)).toBe(20);
  const { row } = await openWidget(t.services.db, id);
  expect(row.usageMessages).toBe(20);
});

test("an IPv6 network of one customer counts as one address, and so does an IPv4 address however it is written", async () => {
  const { widget } = await newWidget(60);
  expect(await letIn(widget, 30, (at) => `2001:db8:7:1::${at.toString(16)}`)).toBe(10);
  expect(await letIn(widget, 1, () => "2001:db8:7:2::1")).toBe(1);
  expect(await letIn(widget, 30, (at) => (at % 2 ? "192.0.2.1" : "::ffff:192.0.2.1"))).toBe(10);
});

test("all addresses together are limited by the widget's daily limit", async () => {
  const { widget } = await newWidget(12);
  expect(await letIn(widget, 30, (at) => `198.51.100.${at}`)).toBe(12);
});

test("no address is stored, and its counter is deleted when the day is over", async () => {
  const { widget } = await newWidget(100);
  await countMessage(t.services.db, widget, "198.51.100.77");
  const rows = () =>
    asTenant(t.services.db, owner.caller, async (tx) =>
      (await tx.select().from(widgetAddresses)).filter(({ widgetId }) => widgetId === widget.row.id),
    );
  expect(JSON.stringify(await rows())).not.toContain("198.51");
  await cleanUp(t.services);
  expect(await rows()).toHaveLength(1);
  await cleanUp(t.services, Date.now() + 24 * 3_600_000);
  expect(await rows()).toEqual([]);
});
