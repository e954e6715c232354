/** What the letters say is proposed to their owner alone, and known to everybody once he has confirmed it. */
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChatFact, ChatFacts } from "#contract/chat-facts.ts";
import type { Corrections } from "#contract/corrections.ts";
import { asTenant, type Tx } from "#server/db/database.ts";
import {
  chats,
  contacts,
  declinedReplies,
  exemplars,
  factProposals,
  messages,
  sources,
  twins,
} from "#server/db/schema.ts";
import { forgetContact } from "#server/knowledge/forget-contact.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { trainTwin } from "#server/training/train-twin.ts";
import { findFacts } from "./find-facts.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // These tests call the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

const calm = new AbortController().signal;

interface Owner {
  client: TestClient;
  twinId: string;
  /** One question and one answer, on that day of January. */
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
      await trainTwin(t.services, { ...client.viewer, twinId }, calm);
      await findFacts(t.services, { ...client.viewer, twinId }, calm);
    },
    list: async () => (await client.get(base)).json(),
    confirm: ({ question, variants: [first] }, change) =>
      decide(first!.id, { decision: "confirm", question, text: first!.reply, ...change }),
    run: (work) => asTenant(t.services.db, client.viewer, work),
  };
}

/** What a visitor is answered whom nobody knows. */
async function askedByStranger({ client, twinId }: Owner, message: string) {
  const { organizationId } = client.viewer;
  const colleague = await t.signUp({ role: "user", organizationId });
  const answer = await colleague.post("/api/ai-generate", { twinId, message });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as { response: string; basis: string; sources: { name: string; text: string }[] };
}

const PRICE = "Сколько стоит торт на 3 кг?";

test("a price in the letters is told to nobody until its owner confirms it, and to everybody from then on, with its source", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, `Здравствуйте! ${PRICE}`, "3 кг — 7500. Приеду завтра");
  await ann.learn();
  expect(await ann.list()).toMatchObject({
    counts: { total: 1, left: 1 },
    facts: [{ question: PRICE, current: null, variants: [{ reply: "3 кг — 7500.", times: 1, people: 1 }] }],
  });
  expect((await askedByStranger(ann, PRICE)).response).not.toContain("7500");

  const [fact] = (await ann.list()).facts;
  expect(await ann.confirm(fact!)).toBe(204);
  expect(await ann.list()).toMatchObject({ counts: { total: 1, left: 0 }, facts: [] });
  const told = await askedByStranger(ann, PRICE);
  expect(told.response).toContain("7500");
  expect(told).toMatchObject({ basis: "corrected", sources: [{ name: "Подтверждённые факты" }] });
  // The question in other words finds it among the passages, under the same name.
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

test("values that contradict each other stand together, the newest first, with how often and to how many people each was said", async () => {
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
  // The one that was not chosen is settled as well.
  expect(await ann.list()).toMatchObject({ counts: { left: 0 }, facts: [] });
});

test("learning again changes nothing; what was rejected stays away, and what the letters say otherwise since comes and replaces it", async () => {
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
  // Also when the letters that were decided on have gone, and others say the same.
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
  // Taking the newer one back gives the one before its place again.
  await ann.decide(dearer.variants[0]!.id, { decision: "reopen" });
  expect((await askedByStranger(ann, PRICE)).response).toContain("6500");
});

test("names, phones and addresses are masked; what holds a mask or a contact's data is confirmed in other words only", async () => {
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

test("colleagues, whatever their role, see and decide nothing", async () => {
  const ann = await owner();
  await ann.said("Олег", 1, PRICE, "3 кг — 7500");
  await ann.learn();
  const [fact] = (await ann.list()).facts;
  const path = `/api/digital-twins/${ann.twinId}/chat-facts`;
  for (const role of ["org_admin", "user", "viewer"] as const) {
    const colleague = await t.signUp({ role, organizationId: ann.client.viewer.organizationId });
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
  ["pair", (tx: Tx, twinId: string) => tx.delete(exemplars).where(eq(exemplars.twinId, twinId))],
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

test("of a forgotten contact no confirmed question stays that nobody else has asked; what others asked too does", async () => {
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
    await forgetContact(tx, t.services.jobs, { ...ann.client.viewer, sessionId: "" }, oleg!.id);
  });
  const { corrections } = (await ann.client.get(`/api/digital-twins/${ann.twinId}/corrections`)).json<Corrections>();
  expect(corrections).toMatchObject([{ text: "С 10 до 20" }]);
  // That it was decided is known by its hash alone.
  const hashes = await ann.run((tx) => tx.select().from(declinedReplies).where(eq(declinedReplies.twinId, ann.twinId)));
  expect(hashes).toHaveLength(2);
});
