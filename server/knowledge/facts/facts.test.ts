/** The owner alone sees facts proposed from his messages, and confirming one publishes it. */
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Corrections } from "#contract/corrections.ts";
import type { ChatFact, ChatFacts } from "#contract/knowledge/chat-facts.ts";
import type { OpenReplies, OpenReply } from "#contract/knowledge/open-replies.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages, replyExamples, sources } from "#server/platform/db/schema/knowledge.ts";
import { declinedReplies, factProposals } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { findFacts } from "./find-facts.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // The tests run the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

const calm = new AbortController().signal;

interface Owner {
  client: TestClient;
  twinId: string;
  /** Stores one question and its answer, dated that day of January. */
  said(name: string, day: number, incoming: string, reply: string): Promise<void>;
  learn(): Promise<void>;
  list(): Promise<ChatFacts>;
  decide(factId: string, body: object): Promise<number>;
  confirm(fact: ChatFact, change?: { question?: string; text?: string }): Promise<number>;
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

async function owner(): Promise<Owner> {
  const client = await t.signUp();
  const made = await client.post("/api/digital-twins", {
    name: "Анна",
    description: "Печёт торты на заказ",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и на вы",
    knowledgeArea: "Торты и доставка",
  });
  const twinId: string = made.json().id;
  const base = `/api/digital-twins/${twinId}/chat-facts`;
  const decide = async (factId: string, body: object) => (await client.put(`${base}/${factId}`, body)).statusCode;
  return {
    client,
    twinId,
    decide,
    async said(name, day, incoming, reply) {
      const about = { platform: "telegram", participants: [name], digitalTwinId: twinId };
      const at = (minute: number) => new Date(Date.UTC(2026, 0, day, 12, minute)).toISOString();
      const lines = [
        { content: incoming, role: "user", timestamp: at(0) },
        { content: reply, role: "assistant", timestamp: at(1) },
      ];
      const answer = await client.post("/api/conversations/upload", { ...about, messages: lines });
      expect(answer.statusCode, answer.body).toBe(201);
    },
    async learn() {
      await trainTwin(t.services, { ...client.caller, twinId }, calm);
      await findFacts(t.services, { ...client.caller, twinId }, calm);
    },
    list: async () => (await client.get(base)).json(),
    confirm: ({ question, variants: [first] }, change) =>
      decide(first!.id, { decision: "confirm", question, text: first!.reply, ...change }),
    run: (work) => asTenant(t.services.db, client.caller, work),
  };
}

async function askedByStranger({ client, twinId }: Owner, message: string) {
  const { organizationId } = client.caller;
  const colleague = await t.signUp({ role: "user", organizationId });
  const answer = await colleague.post("/api/ai-generate", { twinId, message });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as { response: string; basis: string; sources: { name: string; text: string }[] };
}

const PRICE = "Сколько стоит торт на 3 кг?";

test("a price in the letters is told to nobody until the owner confirms it, and from then on to everybody with its source", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, `Здравствуйте! ${PRICE}`, "3 кг — 7500. Приеду завтра");
  await ann.learn();
  expect(await ann.list()).toMatchObject({
    counts: { total: 1, left: 1 },
    facts: [{ question: PRICE, current: null, variants: [{ reply: "3 кг — 7500.", times: 1, people: 1 }] }],
  });
  expect((await ann.client.get("/api/knowledge/facts")).json()).toMatchObject({ facts: [], waiting: [{ facts: 1 }] });
  expect((await askedByStranger(ann, PRICE)).response).not.toContain("7500");

  const [fact] = (await ann.list()).facts;
  expect(await ann.confirm(fact!)).toBe(204);
  expect(await ann.list()).toMatchObject({ counts: { total: 1, left: 0 }, facts: [] });
  const told = await askedByStranger(ann, PRICE);
  expect(told.response).toContain("7500");
  expect(told).toMatchObject({ basis: "corrected", sources: [{ name: "Подтверждённые факты" }] });
  // A paraphrase finds the fact among the chunks, under the same source name.
  expect(await askedByStranger(ann, "почем торт 3 кг, если с доставкой?")).toMatchObject({
    sources: [{ name: "Подтверждённые факты" }],
  });
  const { corrections } = (await ann.client.get(`/api/digital-twins/${ann.twinId}/corrections`)).json<Corrections>();
  expect(corrections).toMatchObject([{ kind: "fact", scope: "everybody", text: "3 кг — 7500." }]);
  const lesson = { kind: "fact", question: PRICE, text: "3 кг — 7500 ₽", rules: [], scope: "everybody" };
  await ann.client.put(`/api/digital-twins/${ann.twinId}/corrections/${corrections[0]!.id}`, { lesson });
  expect(await askedByStranger(ann, PRICE)).toMatchObject({
    response: expect.stringContaining("7500 ₽"),
    sources: [{ name: "Подтверждённые факты" }],
  });

  expect(await ann.decide(fact!.variants[0]!.id, { decision: "reopen" })).toBe(204);
  expect(await ann.list()).toMatchObject({ counts: { total: 1, left: 1 } });
  expect((await askedByStranger(ann, PRICE)).response).not.toContain("7500");
});

test("contradicting values are shown together, the newest first, with how often and to how many people each was said", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, PRICE, "6 500 руб");
  await ann.said("Мария", 2, "почём торт 3 кг", "3 кг — 6500");
  await ann.said("Мария", 3, "торт 3 кг сколько стоит?", "7500 рублей");
  await ann.learn();
  const [fact] = (await ann.list()).facts;
  expect(fact!.variants).toMatchObject([
    { reply: "7500 рублей", times: 1, people: 1 },
    { reply: "3 кг — 6500", times: 2, people: 2 },
  ]);
  await ann.confirm(fact!);
  await ann.learn();
  // The rejected value is settled as well.
  expect(await ann.list()).toMatchObject({ counts: { left: 0 }, facts: [] });
});

test("similar questions with one amount are one fact; with different amounts they are one question to the owner", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, "Вечер добрый, почём заточить фигурные коньки?", "400");
  await ann.said("Мария", 2, "Сколько стоит заточка фигурных коньков?", "400 р.");
  await ann.said("Кира", 3, "а сколько заточка фигурных коньков", "450");
  // Another thing with its own price, and one with the same price.
  await ann.said("Олег", 4, "Сколько стоит заточка хоккейных коньков?", "350 рублей");
  await ann.said("Кира", 5, "Сколько стоит смазка роликов?", "450 рублей");
  // One additional word and the same amount: this is the same fact.
  await ann.said("Пётр", 6, "Почём смазка детских роликов?", "450");
  await ann.learn();
  const { facts, counts } = await ann.list();
  expect(counts).toEqual({ total: 3, left: 3 });
  const shown = facts.map(({ question, variants }) => [
    question,
    variants.map(({ reply, times, people, saidAt }) => [reply, times, people, saidAt.slice(0, 10)]),
  ]);
  expect(shown).toEqual(
    expect.arrayContaining([
      [
        "Сколько заточка фигурных коньков?",
        [
          ["450", 1, 1, "2026-01-03"],
          ["400 р.", 2, 2, "2026-01-02"],
        ],
      ],
      ["Сколько стоит заточка хоккейных коньков?", [["350 рублей", 1, 1, "2026-01-04"]]],
      ["Почём смазка детских роликов?", [["450", 2, 2, "2026-01-06"]]],
    ]),
  );
  // A decision on one wording applies to all of them.
  const skates = facts.find(({ variants }) => variants.length === 2)!;
  expect(await ann.decide(skates.variants[0]!.id, { decision: "reject" })).toBe(204);
  await ann.said("Светлана", 7, "почём наточить? фигурные коньки заточить почём", "450 р");
  await ann.learn();
  expect((await ann.list()).counts.left).toBe(2);
  await ann.run((tx) => tx.delete(factProposals).where(eq(factProposals.twinId, ann.twinId)));
  await ann.learn();
  expect((await ann.list()).facts.map(({ question }) => question)).not.toContain("Сколько заточка фигурных коньков?");
});

test("learning again changes nothing and rejected facts stay away, but a newer letter can replace a fact", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, PRICE, "3 кг — 6500");
  await ann.said("Мария", 1, "До скольки вы работаете?", "С 10 до 20, без выходных");
  await ann.learn();
  const first = await ann.list();
  expect(first.counts).toEqual({ total: 2, left: 2 });
  await ann.learn();
  expect(await ann.list()).toEqual(first);
  const [price, hours] = ["торт", "работаете"].map((word) => first.facts.find((fact) => fact.question.includes(word))!);
  await ann.confirm(price!);
  await ann.decide(hours!.variants[0]!.id, { decision: "reject" });
  await ann.said("Светлана", 2, "Сколько стоит торт на 3 кг?", "3 кг — 6500");
  await ann.said("Светлана", 3, "А до скольки вы работаете?", "С 10 до 20 без выходных");
  await ann.learn();
  expect((await ann.list()).facts).toEqual([]);
  // This holds even when the decided messages are deleted and others state the same.
  await ann.run((tx) => tx.delete(factProposals).where(eq(factProposals.twinId, ann.twinId)));
  await ann.said("Кира", 1, "Добрый день! Где вас найти?", "ул. Мира, 5");
  await ann.learn();
  expect((await ann.list()).facts.map(({ question }) => question)).toEqual(["Где вас найти?"]);
  await ann.decide((await ann.list()).facts[0]!.variants[0]!.id, { decision: "reject" });

  await ann.said("Дмитрий", 4, PRICE, "3 кг — 7500");
  await ann.said("Дмитрий", 5, "до скольки работаете?", "С 9 до 21");
  await ann.learn();
  const changed = (await ann.list()).facts;
  expect(changed.map(({ variants, current }) => [variants.map(({ reply }) => reply), current])).toEqual(
    expect.arrayContaining([
      [["3 кг — 7500"], "3 кг — 6500"],
      [["С 9 до 21"], null],
    ]),
  );
  const dearer = changed.find(({ current }) => current !== null)!;
  await ann.confirm(dearer);
  const told = await askedByStranger(ann, PRICE);
  expect(told.response).toContain("7500");
  expect(told.response).not.toContain("6500");
  // Withdrawing the newer decision restores the previous one.
  await ann.decide(dearer.variants[0]!.id, { decision: "reopen" });
  expect((await askedByStranger(ann, PRICE)).response).toContain("6500");
});

test("names, phones and addresses are masked; a fact with a mask or a contact's data is confirmed only in other words", async () => {
  const ann = await owner();
  await ann.said(
    "Олег Петров",
    1,
    "Сколько стоит доставка на ул. Садовая, 12? Мой телефон +7 912 345-67-89",
    "Олег, доставка 300 рублей",
  );
  await ann.learn();
  const [fact] = (await ann.list()).facts;
  expect(fact).toMatchObject({
    question: "Сколько стоит доставка на [адрес]?",
    variants: [{ reply: "доставка 300 рублей" }],
  });
  const base = `/api/digital-twins/${ann.twinId}/chat-facts/${fact!.variants[0]!.id}`;
  const put = (question: string, text = "Доставка 300 рублей") =>
    ann.client.put(base, { decision: "confirm", question, text });
  for (const question of [fact!.question, "Сколько стоит доставка Олегу Петрову?", "Телефон +7 912 345-67-89"]) {
    const refused = await put(question);
    expect(refused.statusCode, refused.body).toBe(422);
  }
  expect((await put("Сколько стоит доставка?", "Я живой человек, 300 рублей")).statusCode).toBe(422);
  expect((await put("Сколько стоит доставка?")).statusCode).toBe(204);
});

test("colleagues can neither see nor decide anything, whatever their role", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, PRICE, "3 кг — 7500");
  await ann.learn();
  const [fact] = (await ann.list()).facts;
  const path = `/api/digital-twins/${ann.twinId}/chat-facts`;
  for (const role of ["org_admin", "user", "viewer"] as const) {
    const colleague = await t.signUp({ role, organizationId: ann.client.caller.organizationId });
    expect((await colleague.get(path)).statusCode).toBe(404);
    const decided = await colleague.put(`${path}/${fact!.variants[0]!.id}`, { decision: "reject" });
    expect(decided.statusCode).toBe(role === "viewer" ? 403 : 404);
  }
});

test.each([
  [
    "message",
    (tx: Tx, twinId: string) =>
      tx.delete(messages).where(and(eq(messages.twinId, twinId), eq(messages.fromOwner, true))),
  ],
  ["pair", (tx: Tx, twinId: string) => tx.delete(replyExamples).where(eq(replyExamples.twinId, twinId))],
  ["chat", (tx: Tx, twinId: string) => tx.delete(chats).where(eq(chats.twinId, twinId))],
  ["contact", (tx: Tx, twinId: string) => tx.delete(contacts).where(eq(contacts.twinId, twinId))],
  ["source", (tx: Tx, twinId: string) => tx.delete(sources).where(eq(sources.twinId, twinId))],
])("a proposal goes with its %s, in the same transaction", async (_, remove) => {
  const ann = await owner();
  await ann.said("Олег", 1, PRICE, "3 кг — 7500");
  await ann.learn();
  await ann.run(async (tx) => {
    await remove(tx, ann.twinId);
    expect(await tx.select().from(factProposals).where(eq(factProposals.twinId, ann.twinId))).toEqual([]);
  });
  expect((await ann.list()).counts).toEqual({ total: 0, left: 0 });
});

test("forgetting a contact removes confirmed questions that nobody else has asked, and keeps the others", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, `Здравствуйте! Это опять я. ${PRICE}`, "3 кг — 7500");
  await ann.said("Мария", 1, "До скольки вы работаете?", "С 10 до 20");
  await ann.said("Олег", 2, "До скольки вы работаете?", "С 10 до 20");
  await ann.learn();
  for (const fact of (await ann.list()).facts)
    expect([fact.variants, await ann.confirm(fact)]).toMatchObject([{}, 204]);
  await ann.run(async (tx) => {
    await tx.select().from(twins).where(eq(twins.id, ann.twinId)).for("update");
    const [oleg] = await tx
      .select()
      .from(contacts)
      .where(and(eq(contacts.twinId, ann.twinId), eq(contacts.name, "Олег")));
    await forgetContact(tx, t.services.jobs, { ...ann.client.caller, sessionId: "" }, oleg!.id);
  });
  const { corrections } = (await ann.client.get(`/api/digital-twins/${ann.twinId}/corrections`)).json<Corrections>();
  expect(corrections).toMatchObject([{ text: "С 10 до 20" }]);
  // Only a hash of the decision is stored.
  const hashes = await ann.run((tx) => tx.select().from(declinedReplies).where(eq(declinedReplies.twinId, ann.twinId)));
  expect(hashes).toHaveLength(2);
});

test("a reply that its owner opens takes its fact off the list until he takes that back, and a confirmed fact is not proposed as a reply", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, PRICE, "Торт на 3 кг стоит 7500 рублей");
  await ann.said("Мария", 2, PRICE, "Торт на 3 кг стоит 7500 рублей!");
  await ann.learn();
  const path = `/api/digital-twins/${ann.twinId}/open-replies`;
  const replies = async () => (await ann.client.get(path)).json<OpenReplies>();
  const { proposals } = await replies();
  expect(proposals).toMatchObject([{ people: 2, clear: true }]);
  expect(await ann.list()).toMatchObject({ counts: { total: 1, left: 1 }, facts: [{ clear: true }] });

  const input = { pairId: proposals[0]!.pair.id, question: PRICE, reply: "7500 рублей" };
  const { id } = (await ann.client.post(path, input)).json<OpenReply>();
  expect(await ann.list()).toMatchObject({ counts: { total: 1, left: 0 }, facts: [] });
  expect((await ann.client.get("/api/knowledge/facts")).json()).toMatchObject({ waiting: [] });
  await ann.learn();
  expect((await ann.list()).counts.left).toBe(0);
  await ann.client.delete(`${path}/${id}`);
  expect((await ann.list()).counts.left).toBe(1);

  const [fact] = (await ann.list()).facts;
  await ann.confirm(fact!);
  expect(await replies()).toMatchObject({ counts: { proposals: 0 }, proposals: [] });
  await ann.decide(fact!.variants[0]!.id, { decision: "reopen" });
  expect((await replies()).counts.proposals).toBe(1);
});
