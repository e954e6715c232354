/**
 * The server is killed or stopped while it writes long replies: a visitor's message is answered soon after the next start, once, and a
 * test chat keeps its question. A reply that ends within the bound of STOP_SECONDS is sent whole.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ChatMessage, CONVERSATION_HEADER } from "#contract/conversations/conversations.ts";
import type { WidgetConversation } from "#contract/integrations/widget.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "./test/processes/killable-server.ts";
import { type OpenAiServer, startOpenAiServer } from "./test/servers/openai-server.ts";

/** Milliseconds after the new start within which a visitor must have his answer. */
const SOON_MS = 20_000;
const QUESTION = "Сколько стоит доставка по Москве?";
const SAID = "Доставка по Москве стоит 350 рублей.";
const STOP_SECONDS = 5;

let model: OpenAiServer;
let server: KillableServer;
let twinId: string;
let widgetId: string;
beforeAll(async () => {
  model = await startOpenAiServer({ text: SAID });
  server = await startKillableServer({
    LLM_BASE_URL: model.baseUrl,
    LLM_MODEL: "m",
    STOP_SECONDS: String(STOP_SECONDS),
  });
  twinId = await server.twin();
  const content = `${SAID} Возврат возможен в течение 14 дней.`;
  const document = { digitalTwinId: twinId, name: "Доставка", type: "faq", tags: [], status: "processed", content };
  await server.call("POST", "/api/knowledge/upload", document);
  const isReady = async () => expect((await server.call("GET", `/api/digital-twins/${twinId}`)).status).toBe("ready");
  await vi.waitFor(isReady, { timeout: 180_000, interval: 500 });
  const widget = { enabled: true, allowedSites: ["https://shop.example.test"], title: "Спросите нас" };
  const look = { greeting: "Здравствуйте!", color: "#0f5f63", autonomy: "auto", dailyMessages: 1000 };
  widgetId = (await server.call("PUT", `/api/digital-twins/${twinId}/widget`, { ...widget, ...look })).id;
}, SERVER_START_MS + 180_000);
afterAll(async () => {
  await server?.close();
  await model?.close();
});

const newVisitor = () => ({ "x-visitor": randomBytes(32).toString("base64url"), "sec-fetch-site": "same-origin" });
type Visitor = ReturnType<typeof newVisitor>;

/** A visitor's message; the text of what he is sent, also when the connection breaks. */
async function say(visitor: Visitor): Promise<{ status: number; rest: Promise<string> }> {
  const answer = await fetch(`${server.url()}/widget/${widgetId}/messages`, {
    method: "POST",
    headers: { ...visitor, "content-type": "application/json" },
    body: JSON.stringify({ id: randomUUID(), text: QUESTION }),
  });
  return { status: answer.status, rest: answer.text().catch(() => "cut") };
}

const talk = async (visitor: Visitor): Promise<WidgetConversation> => {
  const answer = await fetch(`${server.url()}/widget/${widgetId}/talk?after=0`, { headers: visitor });
  return (await answer.json()) as WidgetConversation;
};
const answersTo = async (visitor: Visitor) => (await talk(visitor)).lines.filter(({ from }) => from === "twin").length;

/** The question names its new conversation itself, because the answer's first word may never come. */
function ask(): { id: string; rest: Promise<string> } {
  const id = randomUUID();
  const answer = server.stream("/api/ai-generate", { twinId, message: QUESTION }, { [CONVERSATION_HEADER]: id });
  return { id, rest: answer.then((one) => one.text()).catch(() => "cut") };
}

const lastOf = async (id: string) =>
  ((await server.call("GET", `/api/conversations/${id}/messages`)) as ChatMessage[]).at(-1);

/** Both ask, and the model says nothing yet. */
async function begin(...behaviour: Parameters<OpenAiServer["script"]>) {
  const asked = model.requests.length;
  model.script(...behaviour);
  const visitor = newVisitor();
  const said = await say(visitor);
  expect(said.status).toBe(200);
  const chat = ask();
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(asked + 2);
  // The question of a test chat is kept after a moment, so that quick answers cost nothing more.
  await expect.poll(() => lastOf(chat.id).catch(() => null), { timeout: 25_000 }).toMatchObject({ answer: "coming" });
  return { visitor, said, chat };
}

/** The server has just been started again. */
async function expectAnswered(visitor: Visitor, chatId: string, how: string): Promise<void> {
  const started = performance.now();
  await expect
    .poll(() => lastOf(chatId), { timeout: SOON_MS })
    .toMatchObject({ content: QUESTION, answer: "interrupted" });
  await expect.poll(() => answersTo(visitor), { timeout: SOON_MS }).toBe(1);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`a visitor's interrupted answer comes ${seconds} s after the start (${how}; goal: 20)\n`);
  const repeated = await server.call("POST", "/api/ai-generate", { twinId, message: QUESTION, conversationId: chatId });
  expect(repeated.response).toBe(SAID);
  const messages = (await server.call("GET", `/api/conversations/${chatId}/messages`)) as ChatMessage[];
  expect(messages.map(({ content }) => content)).toEqual([QUESTION, SAID]);
  // Longer than the lease: nobody answers a second time.
  await pause(15_000);
  expect(await answersTo(visitor)).toBe(1);
}

test("kill -9 during long replies", async () => {
  const { visitor, said, chat } = await begin({ kind: "hang" }, { kind: "hang" });
  await server.kill();
  await Promise.all([said.rest, chat.rest]);
  await server.start();
  await expectAnswered(visitor, chat.id, "kill -9");
}, 400_000);

test("SIGTERM during replies that last longer than the bound ends with 0 after it", async () => {
  const { visitor, said, chat } = await begin({ kind: "hang" }, { kind: "hang" });
  const began = performance.now();
  const ended = await server.stop();
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`SIGTERM with endless replies: code ${ended.code} after ${seconds.toFixed(1)} s\n`);
  expect(ended.code, ended.stderr).toBe(0);
  expect(seconds).toBeGreaterThan(STOP_SECONDS - 1);
  expect(await said.rest).toContain("stopping");
  expect(await chat.rest).toContain("stopping");
  await server.start();
  await expectAnswered(visitor, chat.id, "SIGTERM");
}, 400_000);

test("SIGTERM during replies that end within the bound: they arrive whole, the port says 503 meanwhile, the code is 0", async () => {
  const held = Promise.withResolvers<void>();
  const { visitor, said, chat } = await begin(
    { kind: "ok", heldUntil: held.promise },
    { kind: "ok", heldUntil: held.promise },
  );
  const ending = server.stop();
  const refused = () => fetch(`${server.url()}/api/config`).then(({ status }) => status);
  await expect.poll(refused, { timeout: 5000, interval: 20 }).toBe(503);
  expect((await fetch(`${server.url()}/healthz`)).status).toBe(200);
  held.resolve();
  expect(await said.rest).toContain("350");
  expect(await chat.rest).toContain("event: done");
  const ended = await ending;
  expect(ended.code, ended.stderr).toBe(0);
  await server.start();
  expect(await answersTo(visitor)).toBe(1);
  expect(await lastOf(chat.id)).toMatchObject({ role: "assistant", content: SAID });
}, 400_000);
