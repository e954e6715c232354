import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Corrections, LessonKind, LessonScope, Proposal, StyleRule } from "#contract/corrections.ts";
import type { TwinVersion, VersionComparison } from "#contract/versions.ts";
import { asTenant } from "#server/db/database.ts";
import { contacts, conversationMessages, conversations, corrections } from "#server/db/schema.ts";
import { llmGenerator } from "#server/replies/generators/llm.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { buildPrompt } from "#server/replies/prompt.ts";
import { prepareReply } from "#server/replies/reply.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { replayCorrections } from "#server/training/replay-corrections.ts";
import { trainTwin } from "#server/training/train-twin.ts";
import { readLearnt } from "./learnt.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // These tests call the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

interface Owner {
  client: TestClient;
  twinId: string;
  train(): Promise<void>;
  replay(): Promise<void>;
  /** Calls of the twin's own. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object, status?: number): Promise<T>;
  ask(message: string): Promise<{ response: string; messageId: string; reason: string; confidence: number }>;
  /** Accepts what is proposed for an answer, with `changes` over it. */
  teach(
    messageId: string,
    text: string,
    changes?: { kind?: LessonKind; rules?: StyleRule[]; scope?: LessonScope },
  ): Promise<{ id: string }>;
}

async function owner(document?: string): Promise<Owner> {
  const client = await t.signUp();
  const twin = await client.post("/api/digital-twins", {
    name: "Анна",
    description: "Отвечает покупателям магазина",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и на вы",
    knowledgeArea: "Доставка и возврат",
  });
  const twinId: string = twin.json().id;
  const base = `/api/digital-twins/${twinId}`;
  const job = { organizationId: client.viewer.organizationId, userId: client.viewer.userId, twinId };
  const train = () => trainTwin(t.services, job, calm);
  if (document !== undefined) {
    await client.post("/api/knowledge/upload", {
      digitalTwinId: twinId,
      name: "Доставка",
      content: document,
      type: "faq",
    });
    await train();
  }
  const post = async <T>(path: string, body?: object, status?: number): Promise<T> => {
    const answer = await client.post(`${base}${path}`, body);
    if (status === undefined) expect(answer.statusCode, answer.body).toBeLessThan(300);
    else expect(answer.statusCode, answer.body).toBe(status);
    return answer.body === "" ? (undefined as T) : answer.json();
  };
  return {
    client,
    twinId,
    post,
    train,
    replay: () => replayCorrections(t.services, job, calm),
    get: async (path) => (await client.get(`${base}${path}`)).json(),
    ask: async (message) => (await client.post("/api/ai-generate", { twinId, message })).json(),
    async teach(messageId, correction, changes = {}) {
      const from = { kind: "message", id: messageId };
      const { suggested, question, text, rules, scopes } = await post<Proposal>("/corrections/proposal", {
        from,
        correction,
      });
      const kind = changes.kind ?? suggested;
      return post("/corrections", { from, kind, question, text, rules, scope: scopes[kind], ...changes });
    },
  };
}

const calm = new AbortController().signal;

/** Jobs that wait: one key has one. */
async function askedForReplay(twinId: string): Promise<number> {
  const { rows } = await t.services.db.execute(
    sql`select 1 from jobs.job where name = 'replay-corrections' and data->>'twinId' = ${twinId} and state = 'created'`,
  );
  return rows.length;
}

const QUESTION = "Сколько стоит доставка по Москве?";

test("a corrected answer is right in the same second, is asked again after each training, and an older version brings it back", async () => {
  const ann = await owner("Доставка по Москве стоит 350 рублей и занимает один день.");
  const stateOf = async (id: string) =>
    (await ann.get<Corrections>("/corrections")).corrections.find((one) => one.id === id)?.case?.state;
  const wrong = await ann.ask(QUESTION);
  expect(wrong.response).toContain("350");

  const first = await ann.teach(wrong.messageId, "Доставка по Москве стоит 400 рублей.");
  expect(first).toMatchObject({ kind: "fact", scope: "everybody", active: true, case: { state: "unchecked" } });
  const right = await ann.ask(QUESTION);
  expect(right).toMatchObject({
    response: expect.stringContaining("400 рублей"),
    basis: "corrected",
    confidence: 0.98,
  });
  expect(right.reason).toContain("исправил");
  expect((await ann.ask("Подскажите, а сколько стоит доставка по Москве")).response).toContain("400");
  expect((await ann.ask("Сколько дней занимает доставка по Москве?")).reason).not.toContain("исправил");

  const document = {
    digitalTwinId: ann.twinId,
    name: "Возврат",
    content: "Вернуть товар можно за 14 дней после покупки, если он цел.",
    type: "faq",
  };
  await ann.client.post("/api/knowledge/upload", document);
  await ann.train();
  expect(await askedForReplay(ann.twinId)).toBe(1);
  await ann.replay();
  expect(await stateOf(first.id)).toBe("passed");

  // Another word on the same question is the newer one: the first no longer holds.
  const second = await ann.teach(right.messageId, "Доставка по Москве бесплатная.");
  expect((await ann.ask(QUESTION)).response).toContain("бесплатная");
  await ann.replay();
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(["broken", "passed"]);
  await ann.replay();
  expect(await stateOf(first.id)).toBe("failed");

  const versions = await ann.get<TwinVersion[]>("/versions");
  expect(versions.map(({ cause }) => cause)).toEqual(["corrections", "training", "corrections", "training"]);
  const before = versions[1]!;
  const compared = await ann.get<VersionComparison>(`/versions/${before.id}`);
  expect(compared).toMatchObject({ older: before.id, newer: versions[0]!.id, settings: [], style: [] });
  expect(compared.corrections).toEqual([
    { name: `«${QUESTION}» → «Доставка по Москве бесплатная.»`, before: null, after: "включено" },
  ]);
  expect(await ann.post(`/versions/${before.id}/restore`)).toMatchObject({
    cause: "restored",
    changed: ["Исправления"],
  });
  expect((await ann.ask(QUESTION)).response).toContain("400");
  await ann.replay();
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(["passed", undefined]);
  // What was gone back from is a version like any other.
  await ann.post(`/versions/${versions[0]!.id}/restore`);
  expect((await ann.ask(QUESTION)).response).toContain("бесплатная");

  const path = `/api/digital-twins/${ann.twinId}/corrections/${second.id}`;
  await ann.client.put(path, { active: false });
  expect((await ann.ask(QUESTION)).response).toContain("400");
  await ann.client.put(path, { active: true, caseKept: false });
  expect(await stateOf(second.id)).toBeUndefined();
  await ann.client.delete(path);
  await ann.client.delete(`/api/digital-twins/${ann.twinId}/corrections/${first.id}`);
  expect((await ann.ask(QUESTION)).response).toContain("350");
});

test("a saved change of the twin's texts is a version; changes in a row are one", async () => {
  const ann = await owner();
  const save = (fields: object) => ann.client.put(`/api/digital-twins/${ann.twinId}`, fields);
  await save({ description: "Отвечает гостям кофейни" });
  await save({ name: "Анна К." });
  await save({ isActive: true });
  const versions = await ann.get<TwinVersion[]>("/versions");
  expect(versions).toMatchObject([
    { cause: "settings", author: "Тест", changed: ["Имя", "Описание"] },
    { cause: "before", author: null, changed: [] },
  ]);
  await ann.post(`/versions/${versions[1]!.id}/restore`);
  expect((await ann.client.get(`/api/digital-twins/${ann.twinId}`)).json()).toMatchObject({
    name: "Анна",
    description: "Отвечает покупателям магазина",
  });
});

test("habits that differ are proposed, ordered, and kept by both generators; who answers is told as it is", async () => {
  const ann = await owner("Доставка по Москве стоит 350 рублей! Курьер позвонит вам за час.");
  const { messageId, response } = await ann.ask(QUESTION);
  const from = { kind: "message", id: messageId };
  const correction = response.split("!")[0]!;
  const proposal = await ann.post<Proposal>("/corrections/proposal", { from, correction });
  expect(proposal).toMatchObject({ suggested: "style", scopes: { style: "everybody" }, contactName: null });
  expect(proposal.rules).toContainEqual({ habit: "exclamation" });
  await ann.teach(messageId, correction, { rules: [{ habit: "exclamation" }, { habit: "address", address: "ты" }] });
  expect((await ann.ask(QUESTION)).response).not.toContain("!");
  const asked = { message: "Позвонит ли курьер?", history: [], seed: "1", audience: { kind: "owner" } as const };
  const request = await asTenant(t.services.db, ann.client.viewer, async (tx) => {
    const learnt = await readLearnt(tx, ann.twinId, asked.audience);
    return prepareReply({
      ...(await openTwin(tx, ann.client.viewer, ann.twinId)),
      learnt,
      meaning: null,
      generator: "llm",
      ...asked,
    });
  });
  expect(buildPrompt(request).system).toContain("Писать без восклицательных знаков; Обращаться на «ты»");
  const exemplar = { kind: "exemplar", text: "Слово в слово", question: null, likeness: 1 } as const;
  // Nothing listens there: the model is not asked.
  const model = llmGenerator({ baseUrl: "http://127.0.0.1:9/v1", model: "none" });
  const said: string[] = [];
  for await (const delta of model.generate({ ...request, corrected: exemplar }, calm)) said.push(delta);
  expect(said).toEqual(["Слово в слово"]);
  const identity = await ann.ask("Ты бот?");
  await ann.teach(identity.messageId, "Нет, это я сама", { kind: "exemplar" });
  expect((await ann.ask("Ты бот?")).response).toBe(identity.response);
  await ann.post("/corrections", { from, kind: "style", question: "a", text: "b", rules: [], scope: "everybody" }, 422);
});

test("what was corrected in one contact's talk is told to no other, nor is it left behind when the contact is forgotten", async () => {
  const ann = await owner();
  const { organizationId: orgId } = ann.client.viewer;
  const talkWith = (name: string) =>
    asTenant(t.services.db, ann.client.viewer, async (tx) => {
      const person = { orgId, twinId: ann.twinId, platform: "telegram", externalId: name, name };
      const [contact] = await tx.insert(contacts).values(person).returning({ id: contacts.id });
      const place = { orgId, twinId: ann.twinId, platform: "telegram", contactId: contact!.id, participantName: name };
      const [talk] = await tx.insert(conversations).values(place).returning({ id: conversations.id });
      const lines = [
        { role: "user" as const, content: "Когда мне ждать посылку с фарфором?" },
        { role: "assistant" as const, content: "Не знаю." },
      ].map((line) => ({ orgId, conversationId: talk!.id, ...line }));
      const rows = await tx.insert(conversationMessages).values(lines).returning({ id: conversationMessages.id });
      return { contactId: contact!.id, talkId: talk!.id, messageId: String(rows[1]!.id) };
    });
  const [oleg, pavel] = [await talkWith("Олег"), await talkWith("Павел")];
  const from = { kind: "message", id: oleg.messageId };
  const proposal = (correction: string) => ann.post<Proposal>("/corrections/proposal", { from, correction });
  expect(await proposal("Передам Павлу, он привезёт.")).toMatchObject({
    personal: expect.any(String),
    scopes: { fact: "contact" },
  });
  expect(await proposal("Звоните +7 916 123-45-67")).toMatchObject({ personal: expect.stringContaining("телефон") });
  expect(await proposal("Посылки с фарфором едут неделю.")).toMatchObject({
    personal: null,
    contactName: "Олег",
    scopes: { fact: "contact", exemplar: "contact" },
  });
  const everybody = { from, kind: "fact", question: "Когда посылка?", rules: [], scope: "everybody" };
  await ann.post("/corrections", { ...everybody, text: "Позвоните Павлу" }, 422);
  await ann.teach(oleg.messageId, "Твоя приедет в пятницу", { kind: "exemplar" });
  await ann.teach(oleg.messageId, "Посылки с фарфором едут неделю.", { kind: "fact", scope: "everybody" });

  const requestOf = (contactId: number) =>
    asTenant(t.services.db, ann.client.viewer, async (tx) => {
      const audience = { kind: "contact", contactId } as const;
      const message = "Когда мне ждать посылку с фарфором?";
      const learnt = await readLearnt(tx, ann.twinId, audience);
      const twin = await openTwin(tx, ann.client.viewer, ann.twinId);
      return prepareReply({
        ...twin,
        learnt,
        message,
        history: [],
        audience,
        meaning: null,
        seed: "1",
        generator: "llm",
      });
    });
  expect((await requestOf(oleg.contactId)).corrected).toMatchObject({ text: "Твоя приедет в пятницу" });
  const others = await requestOf(pavel.contactId);
  expect(others.corrected).toMatchObject({ text: "Посылки с фарфором едут неделю.", question: null });
  expect(buildPrompt(others).system).not.toMatch(/мне ждать|пятницу/);

  const forgotten = await ann.client.delete(`/api/conversations/${oleg.talkId}/contact`);
  expect(forgotten.statusCode, forgotten.body).toBe(204);
  expect(await asTenant(t.services.db, ann.client.viewer, (tx) => tx.select().from(corrections))).toEqual([]);
});
