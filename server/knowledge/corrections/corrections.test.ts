import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import type { Correction, CorrectionKind, Corrections, Proposal, StyleRule } from "#contract/corrections.ts";
import type { TwinVersion, VersionComparison } from "#contract/versions.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { prepareReply } from "#server/answers/replies/planning/prepare-reply.ts";
import { buildPrompt } from "#server/answers/replies/prompt/prompt.ts";
import { replayCorrections } from "#server/answers/training/replay-corrections.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { upstream } from "#server/platform/errors.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { promptWithoutMessage } from "#server/test/models/read-prompt.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { readActiveCorrections } from "./active-corrections.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // The tests run the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

interface Owner {
  client: TestClient;
  twinId: string;
  train(): Promise<void>;
  replay(changes?: { generator: Generator }): Promise<void>;
  /** Calls the twin's own endpoints. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object, status?: number): Promise<T>;
  ask(message: string): Promise<{ response: string; messageId: string; reason: string; confidence: number }>;
  /** Accepts the correction that is proposed for an answer, with `changes` applied. */
  teach(
    messageId: string,
    text: string,
    changes?: { kind?: CorrectionKind; rules?: StyleRule[]; scope?: CorrectionScope },
  ): Promise<{ id: string }>;
}

async function owner(document?: string): Promise<Owner> {
  const client = await t.signUp();
  const twinId = await buildTwin(client, { communicationStyle: "Коротко и на вы" });
  const base = `/api/digital-twins/${twinId}`;
  const job = { organizationId: client.caller.organizationId, userId: client.caller.userId, twinId };
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
    replay: (changes = { generator: t.services.generator }) =>
      replayCorrections({ ...t.services, ...changes }, job, calm),
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

/** Number of waiting jobs; a key has at most one. */
async function askedForReplay(twinId: string): Promise<number> {
  const { rows } = await t.services.db.execute(
    sql`select 1 from jobs.job where name = 'replay-corrections' and data->>'twinId' = ${twinId} and state = 'created'`,
  );
  return rows.length;
}

const QUESTION = "Сколько стоит доставка по Москве?";

test("a corrected answer holds at once, is checked after each training, and can be restored from an older version", async () => {
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
  // The replaced version can be restored like any other.
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

test("a corrected question that the model refuses does not hold, and does not fail the check of the others", async () => {
  const ann = await owner("Доставка по Москве стоит 350 рублей и занимает один день.");
  const { messageId } = await ann.ask(QUESTION);
  const { id } = await ann.teach(messageId, "Доставка по Москве стоит 400 рублей.");
  const refusing: Generator = {
    name: "llm",
    // biome-ignore lint/correctness/useYield: it refuses before the first word
    async *generate() {
      throw upstream("model_refused", "Модель отказалась отвечать на это сообщение.");
    },
  };
  await ann.replay({ generator: refusing });
  const { corrections: shown } = await ann.get<Corrections>("/corrections");
  expect(shown.find((one) => one.id === id)?.case).toMatchObject({ state: "broken", reply: null });
});

test("a saved change of the twin's texts makes a version; several changes in a row make one", async () => {
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

test("differing habits are proposed and followed by both generators, but the disclosure that an AI answers is not changed", async () => {
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
  const request = await asTenant(t.services.db, ann.client.caller, async (tx) => {
    const learnt = await readActiveCorrections(tx, ann.twinId, asked.audience);
    return prepareReply({
      ...(await openTwin(tx, ann.client.caller, ann.twinId)),
      learnt,
      queryEmbedding: null,
      generator: "llm",
      ...asked,
    });
  });
  expect(buildPrompt(request).system).toContain("Писать без восклицательных знаков; Обращаться на «ты»");
  const replyExample = {
    kind: "example",
    text: "Слово в слово",
    question: null,
    similarity: 1,
    secrecy: "public",
  } as const;
  // Nothing listens at this address, because the model must not be asked.
  const model = llmGenerator({ baseUrl: "http://127.0.0.1:9/v1", model: "none" });
  const said: string[] = [];
  for await (const delta of model.generate({ ...request, corrected: replyExample }, calm)) said.push(delta);
  expect(said).toEqual(["Слово в слово"]);
  const identity = await ann.ask("Ты бот?");
  await ann.teach(identity.messageId, "Нет, это я сама", { kind: "example" });
  expect((await ann.ask("Ты бот?")).response).toBe(identity.response);
  await ann.post("/corrections", { from, kind: "style", question: "a", text: "b", rules: [], scope: "everybody" }, 422);
});

test("a reply of the measurement is one contact's letter: what it teaches stays with that contact unless it is published", async () => {
  const ann = await owner();
  const { organizationId: orgId } = ann.client.caller;
  const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, ann.client.caller, work);
  const [question, text] = ["Куда вы пропали осенью?", "Лежал в наркологии, соседям сказал про отпуск"];
  const { contactId, id } = await run(async (tx) => {
    const place = { ...ann.client.caller, twinId: ann.twinId };
    const letters = [{ name: "Вера", incoming: question, reply: text, audience: "own" as const }];
    const { Вера: contactId } = await storeLetters(tx, place, letters);
    const [pair] = await tx
      .select({ id: replyExamples.id })
      .from(replyExamples)
      .where(eq(replyExamples.twinId, ann.twinId));
    const measured = { orgId, twinId: ann.twinId, revision: 1, own: 1, held: 1, people: 1, durationMs: 1 };
    const [measure] = await tx.insert(fidelityMeasures).values(measured).returning({ id: fidelityMeasures.id });
    const shown = { orgId, measureId: measure!.id, replyExampleId: pair!.id, reply: "В отпуске", logit: 0 };
    const [example] = await tx.insert(fidelityExamples).values(shown).returning({ id: fidelityExamples.id });
    return { contactId: contactId!, id: String(example!.id) };
  });
  const from = { kind: "example", id };
  const proposal = await ann.post<Proposal>("/corrections/proposal", { from, correction: text });
  expect(proposal).toMatchObject({ scopes: { fact: "contact", example: "contact" }, people: 1, contactName: "Вера" });
  const learnt = await ann.post<Correction>("/corrections", { from, kind: "fact", question, text, rules: [] });
  expect(learnt.scope).toBe("contact");
  const told = (audience: Audience) => run((tx) => readActiveCorrections(tx, ann.twinId, audience));
  expect(await told({ kind: "stranger" })).toEqual([]);
  expect(await told({ kind: "contact", contactId: contactId + 1 })).toEqual([]);
  expect(await told({ kind: "contact", contactId })).toMatchObject([{ text }]);
  await ann.client.put(`/api/digital-twins/${ann.twinId}/corrections/${learnt.id}`, {
    lesson: { kind: "fact", question, text, rules: [], scope: "everybody" },
  });
  expect(await told({ kind: "stranger" })).toMatchObject([{ text }]);
});

test("a correction made in the owner's own test chat has no contact, so it is refused unless it applies to all contacts", async () => {
  const ann = await owner("Доставка по Москве стоит 350 рублей и занимает один день.");
  const { messageId } = await ann.ask(QUESTION);
  const from = { kind: "message", id: messageId };
  const lesson = { from, kind: "fact", question: QUESTION, text: "400 рублей", rules: [] };
  await ann.post("/corrections", lesson, 422);
  expect(await ann.post<Correction>("/corrections", { ...lesson, scope: "everybody" })).toMatchObject({
    scope: "everybody",
  });
});

test("a correction from one contact's conversation is used for no other contact, and is removed when the contact is forgotten", async () => {
  const ann = await owner();
  const { organizationId: orgId } = ann.client.caller;
  const talkWith = (name: string) =>
    asTenant(t.services.db, ann.client.caller, async (tx) => {
      const place = { orgId, twinId: ann.twinId };
      const { id: contactId } = await buildContact(tx, place, { name });
      const talk = await buildConversation(tx, place, { contactId, participantName: name });
      const lines = [
        { role: "user" as const, content: "Когда мне ждать посылку с фарфором?" },
        { role: "assistant" as const, content: "Не знаю." },
      ].map((line) => ({ orgId, conversationId: talk.id, secrecy: "organization" as const, ...line }));
      const rows = await tx.insert(conversationMessages).values(lines).returning({ id: conversationMessages.id });
      return { contactId, talkId: talk.id, messageId: String(rows[1]!.id) };
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
    scopes: { fact: "contact", example: "contact" },
  });
  const everybody = { from, kind: "fact", question: "Когда посылка?", rules: [], scope: "everybody" };
  await ann.post("/corrections", { ...everybody, text: "Позвоните Павлу" }, 422);
  await ann.teach(oleg.messageId, "Твоя приедет в пятницу", { kind: "example" });
  await ann.teach(oleg.messageId, "Посылки с фарфором едут неделю.", { kind: "fact", scope: "everybody" });

  const requestOf = (contactId: number) =>
    asTenant(t.services.db, ann.client.caller, async (tx) => {
      const audience = { kind: "contact", contactId } as const;
      const message = "Когда мне ждать посылку с фарфором?";
      const learnt = await readActiveCorrections(tx, ann.twinId, audience);
      const twin = await openTwin(tx, ann.client.caller, ann.twinId);
      return prepareReply({
        ...twin,
        learnt,
        message,
        history: [],
        audience,
        queryEmbedding: null,
        seed: "1",
        generator: "llm",
      });
    });
  expect((await requestOf(oleg.contactId)).corrected).toMatchObject({ text: "Твоя приедет в пятницу" });
  const others = await requestOf(pavel.contactId);
  expect(others.corrected).toMatchObject({ text: "Посылки с фарфором едут неделю.", question: null });
  expect(promptWithoutMessage(others)).not.toMatch(/мне ждать|пятницу/);

  const forgotten = await ann.client.delete(`/api/conversations/${oleg.talkId}/contact`);
  expect(forgotten.statusCode, forgotten.body).toBe(204);
  expect(await asTenant(t.services.db, ann.client.caller, (tx) => tx.select().from(corrections))).toEqual([]);
});
