/** The website chat, as called by a visitor's frame and by an attacker. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Conversation } from "#contract/conversations/conversations.ts";
import type { OpenChat, WidgetConversation } from "#contract/integrations/widget.ts";
import { startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { newVisitor, owner, prepareWidget, save, t, twinId, widgetId } from "#server/test/widget/widget-bench.ts";

prepareWidget();

const call = (
  visitor: string,
  method: "GET" | "POST",
  path: string,
  more: { payload?: object; headers?: object } = {},
) =>
  t.anonymous.inject({
    method,
    url: `/widget/${widgetId}/${path}`,
    headers: { "x-visitor": visitor, "sec-fetch-site": "same-origin", ...more.headers },
    ...(more.payload === undefined ? {} : { payload: more.payload }),
  });
const say = (visitor: string, text: string, id: string = randomUUID()) =>
  call(visitor, "POST", "messages", { payload: { id, text } });
const talk = async (visitor: string, after = 0): Promise<WidgetConversation> =>
  (await call(visitor, "GET", `talk?after=${after}`)).json();
const eventsOf = (body: string) =>
  body
    .trim()
    .split("\n\n")
    .map((part) => /^event: (\w+)\ndata: (.*)$/.exec(part)!)
    .map(([, event, data]) => ({ event, data: JSON.parse(data!) }));
const listed = async (): Promise<Conversation> => (await owner.get("/api/conversations?platform=web")).json()[0];

test("no process holds an active chat to receive for it, because its visitors write by calls of ours", async () => {
  const supervisor = startSupervisor(t.services, { everyMs: 60_000 });
  await supervisor.look();
  const [row] = await asTenant(t.services.db, owner.caller, (tx) =>
    tx.select().from(integrations).where(eq(integrations.platform, "web")),
  );
  await supervisor.stop();
  expect(row).toMatchObject({ status: "active", leaseOwner: null });
});

test("a chat is listed while it is switched on, for the members of its organisation alone", async () => {
  const chats = async (who: TestClient) => (await who.get("/api/widgets")).json();
  expect(await chats(owner)).toMatchObject([{ twinId, title: "Спросите нас", autonomy: "auto", lately: null }]);
  expect(await chats(await t.signUp())).toEqual([]);
  await save({ enabled: false });
  expect(await chats(owner)).toEqual([]);
  await save({});
});

test("the chat and its answers use the twin's public name and never the account owner's", async () => {
  const rename = (publicName: string) => owner.put(`/api/digital-twins/${twinId}`, { publicName });
  expect((await rename("Чайная «лавка»")).json().publicName).toBe("Чайная «лавка»");
  const face = (await call(newVisitor(), "GET", "face")).body;
  expect(JSON.parse(face).disclosure).toBe("Отвечает ИИ-помощник: цифровой двойник «Чайная „лавка“».");
  const visitor = newVisitor();
  const said = (await say(visitor, "Вы бот?")).body;
  expect(said).toContain("Это ИИ-двойник «Чайная „лавка“», а не живой человек");
  const seen = face + said + JSON.stringify(await talk(visitor));
  // Visitors must not see the account's owner, the organisation named after them, and the twin's own name.
  for (const inside of ["Тест", "Анна"]) expect(seen).not.toContain(inside);
  // Without a public name the twin's own name is shown again.
  expect((await rename(" ")).json().publicName).toBeNull();
  expect((await call(newVisitor(), "GET", "face")).json().disclosure).toContain("«Анна»");
});

test("a visitor's question is answered as a stream, the AI is disclosed once, and the owner sees the conversation", async () => {
  const visitor = newVisitor();
  const answer = await say(visitor, "Сколько стоит доставка по Москве?");
  const [chat] = (await owner.get("/api/widgets")).json<OpenChat[]>();
  expect(chat!.lately!.conversations).toBeGreaterThan(0);
  expect(chat!.messagesHandled).toBeGreaterThan(0);
  expect(Date.now() - Date.parse(chat!.lately!.lastAt)).toBeLessThan(60_000);
  expect(answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  const events = eventsOf(answer.body);
  expect(events[0]).toEqual({ event: "open", data: { disclosing: true } });
  expect(events.at(-1)).toEqual({ event: "done", data: {} });
  const streamed = events.filter(({ event }) => event === "delta").map(({ data }) => data.text);
  expect(streamed.join("")).toContain("350 рублей");
  const { lines, human } = await talk(visitor);
  expect(human).toBe(false);
  expect(lines.map(({ from }) => from)).toEqual(["visitor", "twin"]);
  expect(lines[1]!.text).toBe(`Отвечает ИИ-помощник: цифровой двойник «Анна».\n\n${streamed.join("").trim()}`);
  const again = eventsOf((await say(visitor, "А возврат?")).body);
  expect(again[0]).toEqual({ event: "open", data: { disclosing: false } });
  expect(await talk(visitor, lines[1]!.id)).toMatchObject({ lines: [{ text: "А возврат?" }, { from: "twin" }] });
  expect(await listed()).toMatchObject({ platform: "web", lead: "twin", messageCount: 4, unread: 0 });
  const card = await owner.get(`/api/conversations/${(await listed()).id}/contact`);
  expect(card.json(), card.body).toMatchObject({ platform: "web", name: expect.stringMatching(/^Посетитель/) });
  expect((await owner.get("/api/integrations")).json()).toEqual([]);
});

test("a question that only the owner may answer waits for him even where the twin answers automatically", async () => {
  const visitor = newVisitor();
  const { body } = await say(visitor, "Переведите мне 5000 рублей на карту");
  expect(body).not.toContain("event: delta");
  expect(await talk(visitor)).toMatchObject({ lines: [{ from: "visitor" }], human: true });
  const [draft] = (await owner.get("/api/approvals")).json();
  expect(draft).toMatchObject({ state: "draft", reason: expect.stringMatching(/^Речь о переводе денег/) });
  await owner.post(`/api/approvals/${draft.id}/reject`);
});

test("a message that is sent again is stored once, and two simultaneous messages are answered in turn", async () => {
  const visitor = newVisitor();
  const id = randomUUID();
  await say(visitor, "Сколько стоит доставка по Москве?", id);
  expect(eventsOf((await say(visitor, "Сколько стоит доставка по Москве?", id)).body)).toEqual([
    { event: "done", data: {} },
  ]);
  await Promise.all([say(visitor, "Сколько стоит доставка?"), say(visitor, "А возврат возможен?")]);
  expect((await talk(visitor)).lines.map(({ from }) => from)).toEqual([
    "visitor",
    "twin",
    "visitor",
    "twin",
    "visitor",
    "twin",
  ]);
});

describe("a person answers instead of the twin", () => {
  test("where each answer needs approval: the visitor sees that and receives the approved answer", async () => {
    await save({ autonomy: "draft" });
    const visitor = newVisitor();
    expect(eventsOf((await say(visitor, "Сколько стоит доставка по Москве?")).body)).toEqual([
      { event: "done", data: {} },
    ]);
    expect(await talk(visitor)).toMatchObject({ lines: [{ from: "visitor" }], human: true });
    const [draft] = (await owner.get("/api/approvals")).json();
    expect(draft).toMatchObject({ platform: "web", question: "Сколько стоит доставка по Москве?" });
    await owner.post(`/api/approvals/${draft.id}/approve`);
    await expect.poll(async () => (await talk(visitor)).lines.at(-1)?.from, { timeout: 20_000 }).toBe("twin");
    await save({});
  });

  test("where the draft was rejected: the visitor still reads that it was passed on, until a member answers", async () => {
    await save({ autonomy: "draft" });
    const visitor = newVisitor();
    await say(visitor, "Сколько стоит доставка по Москве?");
    const drafts = async () => (await owner.get("/api/approvals")).json();
    const [draft] = await drafts();
    await owner.post(`/api/approvals/${draft.id}/reject`);
    expect(await drafts()).toEqual([]);
    expect(await talk(visitor)).toMatchObject({ lines: [{ from: "visitor" }], human: true });
    await save({});
    await say(visitor, "Сколько стоит доставка по Москве?");
    expect(await talk(visitor)).toMatchObject({ lines: [{}, {}, { from: "twin" }], human: false });
  });

  test("where the owner has taken over: the twin is silent, and the owner's messages arrive as his", async () => {
    const visitor = newVisitor();
    await say(visitor, "Здравствуйте!");
    const { id, lead } = await listed();
    expect(lead).toBe("twin");
    await owner.post(`/api/conversations/${id}/pause`);
    expect(eventsOf((await say(visitor, "Сколько стоит доставка?")).body)).toEqual([{ event: "done", data: {} }]);
    const { lines, human } = await talk(visitor);
    expect(human).toBe(true);
    expect(lines.at(-1)).toMatchObject({ from: "visitor", text: "Сколько стоит доставка?" });
    await asTenant(t.services.db, owner.caller, (tx) =>
      tx.insert(conversationMessages).values({
        orgId: owner.caller.organizationId,
        conversationId: id,
        role: "assistant",
        author: "owner",
        content: "Сам отвечу: 300, как другу",
        secrecy: "organization",
      }),
    );
    expect(await talk(visitor, lines.at(-1)!.id)).toMatchObject({
      lines: [{ from: "owner", text: /300/ }],
      human: true,
    });
    await owner.post(`/api/conversations/${id}/resume`);
    expect((await talk(visitor)).human).toBe(false);
    await asTenant(t.services.db, owner.caller, (tx) =>
      tx.insert(conversationMessages).values({
        ...{ orgId: owner.caller.organizationId, conversationId: id, role: "assistant", secrecy: "organization" },
        ...{ content: "Возим.\n\nКуда вам?", citations: { basis: "knowledge", parted: true } },
      }),
    );
    const after = (await talk(visitor)).lines;
    expect(after.map(({ parted }) => parted ?? false)).toEqual([...after.slice(1).map(() => false), true]);
  });

  test("where the twin is paused, and where the visitor has said «СТОП»", async () => {
    const visitor = newVisitor();
    await owner.put(`/api/digital-twins/${twinId}`, { isActive: false });
    await say(visitor, "Здравствуйте!");
    expect(await talk(visitor)).toMatchObject({ lines: [{ from: "visitor" }], human: true });
    await owner.put(`/api/digital-twins/${twinId}`, { isActive: true });
    await say(visitor, "СТОП");
    await say(visitor, "Сколько стоит доставка?");
    expect((await talk(visitor)).lines.filter(({ from }) => from === "twin")).toEqual([]);
  });
});

describe("protection against strangers", () => {
  test("a visitor cannot read another's conversation, and the database does not contain the secret that would allow it", async () => {
    const visitor = newVisitor();
    await say(visitor, "Секретный заказ 777");
    expect(await talk(newVisitor())).toEqual({ lines: [], human: false });
    const rows = await asTenant(t.services.db, owner.caller, (tx) =>
      tx.select().from(conversations).where(eq(conversations.platform, "web")),
    );
    expect(JSON.stringify(rows)).not.toContain(visitor);
    for (const wrong of ["", "x", `${visitor}x`, `${visitor.slice(0, 42)}'`]) {
      expect((await call(wrong, "GET", "talk")).statusCode, wrong).toBe(400);
    }
  });

  test("the frame can be embedded only in the listed sites, and calls from other sites are refused", async () => {
    const frame = await t.anonymous.get(`/widget/${widgetId}`);
    expect(frame.headers["content-security-policy"]).toContain(
      "frame-ancestors 'self' https://shop.example.test https://*.xn--e1afmkfd.xn--p1ai;",
    );
    expect(frame.headers["permissions-policy"]).toContain("camera=(), ");
    expect(frame.headers["x-frame-options"]).toBeUndefined();
    const page = await t.anonymous.get("/login");
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    for (const site of ["cross-site", "same-site", "none"]) {
      const headers = { "sec-fetch-site": site };
      expect((await call(newVisitor(), "GET", "talk", { headers })).statusCode, site).toBe(403);
      const sent = { headers, payload: { id: randomUUID(), text: "?" } };
      expect((await call(newVisitor(), "POST", "messages", sent)).statusCode, site).toBe(403);
    }
    expect((await call(newVisitor(), "GET", "face")).headers["access-control-allow-origin"]).toBeUndefined();
    for (const site of [
      "https://evil.test; script-src *",
      "javascript:alert(1)",
      "https://a.test/path",
      "*",
      "http://a.test",
    ]) {
      const answer = await owner.put(`/api/digital-twins/${twinId}/widget`, { allowedSites: [site] });
      expect(answer.statusCode, site).toBe(400);
    }
  });

  test("a widget that is off or does not exist is 404 for every call", async () => {
    await save({ enabled: false });
    for (const id of [widgetId, randomUUID(), "x", "..%2f"]) {
      for (const path of ["", "/face", "/talk"]) {
        const answer = await t.anonymous.inject({
          url: `/widget/${id}${path}`,
          headers: { "x-visitor": newVisitor() },
        });
        expect(answer.statusCode, `${id}${path}`).toBe(404);
      }
    }
    const refused = await say(newVisitor(), "Здравствуйте!");
    expect(refused.statusCode).toBe(404);
    await save({});
  });

  test("messages are limited per visitor, per address and per day", async () => {
    const visitor = newVisitor();
    const sent = await Promise.all(Array.from({ length: 11 }, () => say(visitor, "")));
    expect(sent.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
    await save({ dailyMessages: 1 });
    const told = await t.anonymous.inject({
      method: "POST",
      url: `/widget/${widgetId}/messages`,
      remoteAddress: "192.0.2.7",
      headers: { "x-visitor": newVisitor() },
      payload: { id: randomUUID(), text: "Здравствуйте!" },
    });
    expect(told.statusCode, told.body).toBe(429);
    expect(told.json()).toMatchObject({ code: "insufficient_quota" });
    const many = await Promise.all(Array.from({ length: 40 }, () => say(newVisitor(), "")));
    expect(many.some(({ statusCode }) => statusCode === 429)).toBe(true);
  });
});
