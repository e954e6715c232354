/** How the owner writes is shown to a model in every conversation, by samples that hold nothing private; he reads, closes and writes them. */

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INVENTED_MESSAGES, type StyleSample, type StyleSamples } from "#contract/knowledge/style-samples.ts";
import { incrementKnowledgeVersion } from "#server/accounts/twins/training.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { findCommonSamples, keepFoundSamples } from "#server/knowledge/public-replies/style-samples.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type Letter, storeLetters } from "#server/test/factories/stored-letters.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let model: OpenAiServer;
beforeAll(async () => {
  model = await startOpenAiServer({ text: "Хорошо." });
  t = await testApp({ llm: { baseUrl: model.baseUrl, apiKey: "key", model: "m", timeoutSeconds: 10 } });
});
afterAll(async () => {
  await t.close();
  await model.close();
});

const calm = new AbortController().signal;
const letter = (name: string, reply: string): Letter => ({ name, incoming: "Ты где?", reply, audience: "own" });
/** What all were told in these words, and what only some of them know. */
const LETTERS = ["Олег", "Мария", "Инна"].flatMap((name) => [
  letter(name, "ну да, щас подумаю)"),
  letter(name, "ок, давай потом"),
  letter(name, `зяблик ${name === "Олег" ? "на чердаке" : "в подвале"}`),
]);
LETTERS.push(letter("Олег", "да, мы так и не пришли"));
const PRIVATE = ["зяблик", "чердак", "подвал", "пришли", "Олег", "Мария", "Инна"];

async function ownerWithLetters() {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const { caller } = client;
  const people = await asTenant(t.services.db, caller, (tx) => storeLetters(tx, { ...caller, twinId }, LETTERS));
  const train = () => trainTwin(t.services, { ...caller, twinId }, calm);
  await train();
  const address = `/api/digital-twins/${twinId}/style-samples`;
  const list = async () => (await client.get(address)).json<StyleSamples>();
  return { client, twinId, people, train, address, list };
}
const openTexts = ({ samples }: StyleSamples) =>
  samples.filter(({ state }) => state === "open").map(({ text }) => text);

/** What a stranger's question makes the model read. */
async function promptForStranger(client: TestClient, twinId: string): Promise<string> {
  const limits = { dailyMessages: 1000, dailyTokens: 1_000_000 };
  const made = await client.post(`/api/digital-twins/${twinId}/keys`, { name: "Сайт", scopes: ["ask"], ...limits });
  const { token } = made.json();
  model.requests.length = 0;
  const answer = await t.anonymous.inject({
    method: "POST",
    url: "/v1/chat/completions",
    headers: { authorization: `Bearer ${token}` },
    payload: { model: twinId, messages: [{ role: "user", content: "Здравствуйте! Вы сейчас на связи?" }] },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return JSON.stringify(model.requests.map(({ body }) => body.messages));
}

test("a stranger's prompt holds the samples of the first training and no private word", async () => {
  const { client, twinId, list } = await ownerWithLetters();
  expect(openTexts(await list()).toSorted()).toEqual(["ну да, щас подумаю)", "ок, давай потом"]);
  const prompt = await promptForStranger(client, twinId);
  expect(prompt).toContain("щас подумаю)");
  for (const word of PRIVATE) expect(prompt).not.toContain(word);
});

test("a closed sample is in no prompt and stays closed after a training", async () => {
  const { client, twinId, list, address, train } = await ownerWithLetters();
  const { samples } = await list();
  const thought = samples.find(({ text }) => text.includes("подумаю"))!;
  const closed = await client.put(`${address}/${thought.id}`, { open: false });
  expect(closed.json<StyleSample>()).toMatchObject({ id: thought.id, state: "closed" });
  await buildDocument(client, twinId, "Доставка по городу стоит 350 рублей, привозим в день заказа.");
  await train();
  expect(openTexts(await list())).toEqual(["ок, давай потом"]);
  expect(await promptForStranger(client, twinId)).not.toContain("подумаю");
});

test("samples that were found before the twin's knowledge changed are not stored", async () => {
  const { client, twinId, list } = await ownerWithLetters();
  const data = { ...client.caller, twinId };
  const { db } = t.services;
  const found = await findCommonSamples(db, data, calm);
  await asTenant(db, client.caller, async (tx) => {
    await tx.delete(styleSamples).where(eq(styleSamples.twinId, twinId));
    await incrementKnowledgeVersion(tx, twinId);
  });
  await keepFoundSamples(db, data, found);
  expect(openTexts(await list())).toEqual([]);
  await keepFoundSamples(db, data, { ...found, revision: found.revision + 1 });
  expect(openTexts(await list())).toHaveLength(2);
});

test("samples go with the letters that hold them", async () => {
  const { client, people, list, train } = await ownerWithLetters();
  const { caller } = client;
  await asTenant(t.services.db, caller, (tx) =>
    forgetContact(tx, t.services.jobs, { ...caller, sessionId: "" }, people.Олег!),
  );
  await train();
  expect(openTexts(await list())).toEqual([]);
});

test("the owner answers invented messages in his own words; they are samples at once, and he may take them back", async () => {
  const { client, twinId, list, address } = await ownerWithLetters();
  await buildDocument(client, twinId, "Сколько стоит доставка по городу?\nДоставка стоит 350 рублей.");
  await t.jobsIdle();
  const { messages } = await list();
  expect(messages).toHaveLength(INVENTED_MESSAGES);
  expect(messages).toContain("Сколько стоит доставка по городу?");
  const text = "Здрасте! Ага, на связи)\nЧего хотели?";
  const written = await client.post(address, { incoming: messages[0], text });
  expect(written.statusCode, written.body).toBe(201);
  expect((await list()).messages).toEqual(messages.slice(1));
  expect(await promptForStranger(client, twinId)).toContain("Ага, на связи)");
  const human = await client.post(address, { incoming: messages[1], text: "Я не бот, я живой человек" });
  expect([human.statusCode, human.json().code]).toEqual([422, "human_claim"]);
  const { id } = written.json<StyleSample>();
  expect((await client.delete(`${address}/${id}`)).statusCode).toBe(204);
  expect((await list()).messages).toEqual(messages);
});

test("only the twin's owner reads and changes its samples", async () => {
  const { client, address } = await ownerWithLetters();
  const { organizationId } = client.caller;
  const colleague = await t.signUp({ organizationId });
  for (const other of [colleague, await t.signUp()]) {
    expect((await other.get(address)).statusCode).toBe(404);
    expect((await other.post(address, { incoming: "Вы где?", text: "Тут" })).statusCode).toBe(404);
  }
});

test("the owner opens one of his past replies with names masked, and does not want another", async () => {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const { caller } = client;
  const letters = [
    { ...letter("Ольга", "Ольга, я бы взял синий, он живее"), incoming: "Какой цвет лучше?" },
    { ...letter("Ольга", "да ерунда, приходите без записи"), incoming: "Спасибо вам!" },
  ];
  const people = await asTenant(t.services.db, caller, (tx) => storeLetters(tx, { ...caller, twinId }, letters));
  await trainTwin(t.services, { ...caller, twinId }, calm);
  const address = `/api/digital-twins/${twinId}/style-samples`;
  const list = async () => (await client.get(address)).json<StyleSamples>();
  const phrases = (await list()).phrases!;
  expect(phrases.map(({ text }) => text).toSorted()).toEqual([
    "[имя], я бы взял синий, он живее",
    "да ерунда, приходите без записи",
  ]);
  // Neither is an answer to everybody: one names somebody, the other answers no question.
  expect(phrases.map(({ question }) => question)).toEqual([undefined, undefined]);
  const blue = phrases.find(({ text }) => text.includes("синий"))!;
  const nothing = phrases.find(({ text }) => text.includes("ерунда"))!;
  const decide = (pairId: string, input: object) =>
    client.post(`/api/digital-twins/${twinId}/phrases/${pairId}`, input);
  // What was shown is opened, and nothing else.
  expect((await decide(blue.pairId, { open: true, text: "Ольга, я бы взял синий, он живее" })).statusCode).toBe(409);
  expect((await decide(blue.pairId, { open: true, text: blue.text })).json()).toMatchObject({ origin: "opened" });
  expect((await decide(nothing.pairId, { open: false, text: nothing.text })).json()).toBeNull();
  expect((await list()).phrases).toEqual([]);
  const prompt = await promptForStranger(client, twinId);
  expect(prompt).toContain("я бы взял синий");
  for (const word of ["Ольга", "ерунда"]) expect(prompt).not.toContain(word);
  // The letter takes its sample along.
  await asTenant(t.services.db, caller, (tx) =>
    forgetContact(tx, t.services.jobs, { ...caller, sessionId: "" }, people.Ольга!),
  );
  expect((await list()).samples).toEqual([]);
});

test("a phrase that alone answers a question is offered with it, and may be opened as a fact", async () => {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const letters = [
    { ...letter("Ольга", "с девяти до шести, без обеда"), incoming: "Когда открыт ваш магазин?" },
    { ...letter("Ольга", "https://example.org/karta"), incoming: "Где вас найти?" },
    { ...letter("Ольга", "350"), incoming: "Сколько стоит доставка по городу?" },
  ];
  await asTenant(t.services.db, client.caller, (tx) => storeLetters(tx, { ...client.caller, twinId }, letters));
  const list = async () => (await client.get(`/api/digital-twins/${twinId}/style-samples`)).json<StyleSamples>();
  const [phrase, ...others] = (await list()).phrases!;
  expect(others).toEqual([]);
  expect(phrase).toMatchObject({ text: "с девяти до шести, без обеда", question: "Когда открыт ваш магазин?" });
  const { pairId, text, question } = phrase!;
  const opened = await client.post(`/api/digital-twins/${twinId}/open-replies`, { pairId, question, reply: text });
  expect(opened.statusCode, opened.body).toBe(201);
  // Still offered as manner, but no more as a fact.
  expect((await list()).phrases).toEqual([{ pairId, text }]);
});
