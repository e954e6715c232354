/** No way out carries an address or a mention that no source of the answer holds, in whatever notation; the owner's own words may. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Conversation } from "#contract/conversations/conversations.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { buildDocument, buildTwin } from "../factories/build-twin.ts";
import { type OpenAiServer, startOpenAiServer } from "../servers/openai-server.ts";
import { startTelegramServer, type TelegramServer } from "../servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { type Ask, waysToAsk } from "./ways-to-ask.ts";

/** What an injected document or message could have the model say; the rest of each sentence stands in the document. */
const HOSTILE = [
  "Заказ [evil_shop|готов] через три дня.",
  "Заказ готов через три дня, <@UEVIL|мастерская> чинит велосипеды.",
  "Заказ готов через три дня, мастерская evil-shop . com чинит велосипеды.",
  "Заказ готов через три дня, мастерская t . me / evil чинит велосипеды.",
  "Заказ готов через три дня, @evl мастерская чинит велосипеды.",
  "Заказ готов через три дня, *evil_shop (мастерская) чинит велосипеды.",
  "Заказ готов через три дня, <https://evil.com/x|мастерская> чинит велосипеды.",
];
const EVIL = /evil_shop\||\*evil|<@|evil-shop|t \. me|@evl|evil\.com/i;

const WAIT = { timeout: 20_000, interval: 50 };
let answer = "";
let model: OpenAiServer;
let telegram: TelegramServer;
let t: TestApp;
let owner: TestClient;
let ways: Record<string, Ask>;
beforeAll(async () => {
  model = await startOpenAiServer({ text: () => answer });
  telegram = await startTelegramServer();
  const llm = { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 30 };
  t = await testApp({ llm, telegramApiRoot: telegram.root });
  owner = await t.signUp();
  const twinId = await buildTwin(owner);
  await buildDocument(owner, twinId, "Мастерская чинит велосипеды. Заказ готов через три дня.");
  await t.jobsIdle();
  ways = await waysToAsk({ t, owner, twinId }, "901:token-of-a-bot-0123456789abcdefghij");
});
afterAll(async () => {
  await t.close();
  await model.close();
  await telegram.close();
});

const talk = async () =>
  (await owner.get("/api/conversations")).json<Conversation[]>().find(({ platform }) => platform === "telegram")!;
const sent = () => telegram.sent.filter(({ chatId }) => chatId === "7").map(({ text }) => text);

test.each(HOSTILE)("on no way out: %s", async (said) => {
  answer = said;
  for (const [way, ask] of Object.entries(ways)) {
    const text = await ask("Когда заказ будет готов?");
    expect(text, way).toContain("через три дня");
    expect(text, way).not.toMatch(EVIL);
  }
});

test("a draft that is approved unchanged carries none, and the owner's own words stay as he has written them", async () => {
  answer = HOSTILE[0]!;
  await ways["a connected platform"]!("Когда заказ будет готов?");
  const { id } = await talk();
  const [draft] = (await owner.get(`/api/conversations/${id}/answers`)).json<Approval[]>();
  expect((await owner.post(`/api/approvals/${draft!.id}/approve`)).statusCode).toBe(200);
  await expect.poll(() => sent().length, WAIT).toBe(1);
  expect(sent()[0]).toContain("через три дня");
  expect(sent()[0]).not.toMatch(EVIL);

  const own = "Пишите в [evil_shop|наш чат], *evil_shop (нам) или на evil-shop . com, @evl ответит.";
  await owner.post(`/api/conversations/${id}/messages`, { text: own });
  await expect.poll(() => sent().at(-1), WAIT).toBe(own);

  const slots = [{ day: new Date(Date.now() + 2 * 24 * 3600_000).getUTCDay() || 7, from: "10:00", to: "10:01" }];
  const workingHours = { timeZone: "UTC", slots, outside: "away", awayText: `Закрыто. ${own}` };
  const [bot] = (await owner.get("/api/integrations")).json<{ id: string; platform: string }[]>();
  expect((await owner.put(`/api/integrations/${bot!.id}`, { workingHours })).statusCode).toBe(200);
  await t.services.db.update(conversations).set({ pausedUntil: null }).where(eq(conversations.id, id));
  await ways["a connected platform"]!("Вы открыты?");
  await expect.poll(() => sent().at(-1), WAIT).toBe(`Закрыто. ${own}`);
});
