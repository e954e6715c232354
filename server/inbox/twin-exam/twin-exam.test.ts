/** A twin's exam: asked in the background from its own documents and letters, marked by its owner, and what the marks change. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TWIN_EXAM_QUESTIONS, type TwinExam, type TwinExamMark } from "#contract/twin-exam.ts";
import { examReason } from "#server/inbox/conversation-control/answer-policy.ts";
import { readTrackRecords } from "#server/inbox/conversation-control/read-track-record.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { twinExamAnswers, twinExams } from "#server/platform/db/schema/exams.ts";
import { contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type ModelRequest, type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { chooseQuestions } from "./choose-questions.ts";
import { takeTwinExam } from "./take-twin-exam.ts";

const ASKED = "Сколько стоит гравировка на термосе?";
const OWNER_SAID = "гравировка 700 рублей, за два дня сделаю";
const DELIVERY = "# Доставка\n\nДоставка по городу стоит 300 рублей, привозим в день заказа.";

let t: TestApp;
let model: OpenAiServer;
beforeAll(async () => {
  model = await startOpenAiServer({ text: said });
  t = await testApp({ localModelHosts: [] });
});
afterAll(async () => {
  await t.close();
  await model.close();
});

const formatOf = ({ body }: ModelRequest) =>
  (body.response_format as { json_schema?: { name: string } } | undefined)?.json_schema?.name ?? "words";
const VERDICT = JSON.stringify({ unsupported: [], fault: "", covers: "all", score: 10 });
const ANSWER = { kind: "answered", messages: ["Доставка по городу стоит 300 рублей."], sources: [1], sums: [] };
/** In plain words the model is asked for the questions alone. */
function said(asked: ModelRequest): string {
  if (formatOf(asked) === "verdict") return VERDICT;
  if (formatOf(asked) === "answer") return JSON.stringify({ ...ANSWER, open: "", action: "" });
  return '["почём привезёте по городу?"]';
}

const exam = (client: TestClient, twinId: string) => ({
  at: `/api/digital-twins/${twinId}/exam`,
  read: async () => (await client.get(`/api/digital-twins/${twinId}/exam`)).json<TwinExam>(),
  start: () => client.post(`/api/digital-twins/${twinId}/exam`),
  async asked(): Promise<NonNullable<TwinExam["current"]>> {
    const begun = await this.start();
    expect(begun.statusCode, begun.body).toBe(200);
    await t.jobsIdle();
    return (await this.read()).current!;
  },
  mark: (id: string, mark: TwinExamMark) => client.put(`/api/digital-twins/${twinId}/exam/answers/${id}`, { mark }),
});

async function letterOf(client: TestClient, twinId: string, person: string, incoming: string, reply: string) {
  const timestamp = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute)).toISOString();
  const messages = [
    { role: "user", content: incoming, timestamp: timestamp(0) },
    { role: "assistant", content: reply, timestamp: timestamp(1) },
  ];
  const upload = { digitalTwinId: twinId, platform: "telegram", participants: [person], messages };
  expect((await client.post("/api/conversations/upload", upload)).statusCode).toBe(201);
}

async function knowingTwin(client: TestClient): Promise<string> {
  const twinId = await buildTwin(client);
  await buildDocument(client, twinId, DELIVERY);
  await letterOf(client, twinId, "Вера", ASKED, OWNER_SAID);
  await t.jobsIdle();
  return twinId;
}

const decisionsOf = ({ caller }: TestClient, twinId: string) =>
  asTenant(t.services.db, caller, (tx) =>
    readTrackRecords(tx, { orgId: caller.organizationId, twinId, now: new Date() }),
  );

describe("without a model", () => {
  test("it asks letters as their contact and without that letter, documents as a stranger, and shows what the owner said", async () => {
    const ann = await t.signUp();
    const twinId = await knowingTwin(ann);
    const { read, ...its } = exam(ann, twinId);
    expect(await read()).toMatchObject({
      material: { documents: 1, letters: 1 },
      cost: null,
      current: null,
      last: null,
    });
    const current = await its.asked.call({ ...its, read });
    expect(current).toMatchObject({ state: "marking", failure: null, asked: 8, of: 8 });
    const letter = current.answers.find(({ from }) => from === "letter")!;
    expect(letter).toMatchObject({ question: ASKED, contactName: "Вера", ownerReply: OWNER_SAID });
    expect(letter.reply).not.toContain("700");
    const ofDocument = current.answers.find(({ from }) => from === "document")!;
    expect(ofDocument).toMatchObject({ contactName: null, ownerReply: null });
    expect(ofDocument.question).toContain("Доставка");
    // Usual questions show what it says about what nobody has told it.
    const payment = current.answers.find(({ question }) => question === "Сколько стоит доставка?")!;
    expect(payment).toMatchObject({ from: "usual", reply: expect.stringContaining("300"), heldFor: null });
    expect(current.answers.some(({ heldFor }) => heldFor === "Двойник не знает ответа")).toBe(true);
  });

  test("its marks set whether such answers go out, can be changed, and a new exam replaces them", async () => {
    const ann = await t.signUp();
    const twinId = await knowingTwin(ann);
    const its = exam(ann, twinId);
    const { answers } = await its.asked();
    expect((await ann.post(`${its.at}/finish`)).json()).toMatchObject({ code: "too_few_marks" });
    for (const { id } of answers.slice(1)) expect((await its.mark(id, "yes")).statusCode).toBe(200);
    // Marks count from the end of the exam.
    expect((await decisionsOf(ann, twinId)).plain.decided).toBe(0);
    const ended = (await its.mark(answers[0]!.id, "yes")).json<TwinExam>();
    expect(ended).toMatchObject({ current: null, changed: [], last: { result: { marked: 8, accepted: 8 } } });
    const { sent, sentAccepted } = ended.last!.result;
    expect(sent).toBe(answers.filter(({ heldFor }) => heldFor === null).length);
    expect(sentAccepted).toBe(sent);
    const { plain } = await decisionsOf(ann, twinId);
    expect(plain).toEqual({ decided: expect.any(Number), corrected: 0 });
    expect(plain.decided).toBeGreaterThan(0);

    const wrong = answers.filter(({ heldFor }) => heldFor === null);
    for (const { id } of wrong) await its.mark(id, "no");
    const distrusted = (await its.read()).last!.result;
    expect(distrusted.accepted).toBe(8 - wrong.length);
    expect((await decisionsOf(ann, twinId)).plain.corrected).toBe(plain.decided);
    const again = await its.asked();
    expect((await its.read()).last?.result).toEqual(distrusted);
    for (const { id } of again.answers.slice(0, 5)) await its.mark(id, "yes");
    const finished = (await ann.post(`${its.at}/finish`)).json<TwinExam>();
    expect(finished.last!.result).toMatchObject({ marked: 5, accepted: 5 });
    const rows = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.select().from(twinExams).where(eq(twinExams.twinId, twinId)),
    );
    expect(rows).toHaveLength(1);
  });

  test("is refused without anything to ask about, goes on where it was interrupted, and a cancelled one is gone", async () => {
    const ann = await t.signUp();
    const empty = exam(ann, await buildTwin(ann));
    await t.jobsIdle();
    expect((await empty.start()).json()).toMatchObject({ code: "exam_without_material" });
    const twinId = await knowingTwin(ann);
    const its = exam(ann, twinId);
    const place = { orgId: ann.caller.organizationId, twinId };
    const id = await asTenant(t.services.db, ann.caller, async (tx) => {
      const [row] = await tx
        .insert(twinExams)
        .values({ ...place, chunks: 1, letters: 1 })
        .returning();
      await tx.insert(twinExamAnswers).values([
        { orgId: place.orgId, examId: row!.id, place: 0, question: "Первый?", reply: "Да.", secrecy: "public" },
        { orgId: place.orgId, examId: row!.id, place: 1, question: "Сколько стоит доставка?", secrecy: "public" },
      ]);
      return row!.id;
    });
    // A run without a job, as after a crash.
    expect((await its.read()).current).toMatchObject({ state: "interrupted", failure: "internal", asked: 1, of: 2 });
    const { state, answers } = await its.asked();
    expect([state, answers.map(({ reply }) => reply)]).toEqual(["marking", ["Да.", expect.stringContaining("300")]]);
    expect((await its.start()).json()).toMatchObject({ code: "twin_exam_open" });
    expect((await ann.delete(its.at)).json()).toMatchObject({ current: null, last: null });
    const left = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.select().from(twinExamAnswers).where(eq(twinExamAnswers.examId, id)),
    );
    expect(left).toEqual([]);
    await takeTwinExam(t.services, { ...ann.caller, twinId }, new AbortController().signal);
    expect((await its.read()).current).toBeNull();
  });

  test("its words are the owner's alone, and go with the letter they come from", async () => {
    const ann = await t.signUp({ role: "user" });
    const twinId = await knowingTwin(ann);
    const its = exam(ann, twinId);
    const { answers } = await its.asked();
    const rows = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(twinExamAnswers));
    const secrecyOf = (id: string) => rows.find((row) => String(row.id) === id)?.secrecy;
    for (const { id, from } of answers) expect(secrecyOf(id)).toBe(from === "letter" ? "contact" : "public");
    const admin = await t.signUp({ role: "org_admin", organizationId: ann.caller.organizationId });
    for (const answer of [
      await admin.get(its.at),
      await admin.post(its.at),
      await admin.put(`${its.at}/answers/${answers[0]!.id}`, { mark: "yes" }),
      await admin.delete(its.at),
    ])
      expect([answer.statusCode, answer.body.includes("гравировка")]).toEqual([404, false]);
    await asTenant(t.services.db, ann.caller, (tx) => tx.delete(replyExamples).where(eq(replyExamples.twinId, twinId)));
    expect((await its.read()).current!.answers.some(({ from }) => from === "letter")).toBe(false);
  });
});

test("no document and no contact fills the exam alone", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const long = Array.from({ length: 30 }, (_, at) => `# Раздел ${at}\n\nТекст раздела ${at} о правилах проката.`).join(
    "\n\n",
  );
  await buildDocument(ann, twinId, long, { name: "Правила" });
  await buildDocument(ann, twinId, DELIVERY);
  for (const [at, person] of ["Вера", "Олег"].entries())
    await letterOf(ann, twinId, person, `Во сколько вы открываетесь ${at + 5} мая?`, `откроемся в ${at + 9}`);
  await t.jobsIdle();
  const { letters, pieces, usual } = await asTenant(t.services.db, ann.caller, (tx) => chooseQuestions(tx, twinId));
  const names = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(contacts));
  expect(new Set(letters.map(({ contactId }) => contactId)).size).toBe(names.length);
  expect(new Set(pieces.slice(0, 2).map(({ documentId }) => documentId)).size).toBe(2);
  expect(letters.length + pieces.length + usual.length).toBe(TWIN_EXAM_QUESTIONS);
});

describe("with a model", () => {
  async function connected(): Promise<{ ann: TestClient; twinId: string }> {
    const ann = await t.signUp({ superAdmin: true });
    const twinId = await buildTwin(ann);
    await buildDocument(ann, twinId, DELIVERY);
    await t.jobsIdle();
    const { organizationId } = ann.caller;
    const settings = { preset: "compatible", baseUrl: model.baseUrl, model: "m", apiKey: "key", currency: "RUB" };
    const connect = await ann.put(`/api/organizations/${organizationId}/remote-model`, {
      ...{ ...settings, enabled: true, inputPrice: 1, outputPrice: 2 },
    });
    expect(connect.statusCode, connect.body).toBe(200);
    return { ann, twinId };
  }

  test("it phrases questions in one call, says beforehand what it costs, and its marks count among the decisions that calibrate", async () => {
    const { ann, twinId } = await connected();
    const its = exam(ann, twinId);
    const { cost } = await its.read();
    expect(cost).toMatchObject({ calls: 41, currency: "RUB" });
    model.requests.length = 0;
    const { answers } = await its.asked();
    expect(answers.find(({ from }) => from === "document")!.question).toBe("почём привезёте по городу?");
    const calls = model.requests.map(formatOf);
    expect(calls.filter((one) => one === "words")).toHaveLength(1);
    expect(calls).toHaveLength(1 + 2 * answers.length);
    // What was said beforehand is of the right size.
    const perAnswer = (cost!.tokens / TWIN_EXAM_QUESTIONS) * answers.length;
    const spent = (await ann.get(`/api/organizations/${ann.caller.organizationId}/remote-model`)).json().today.tokens;
    expect(perAnswer / spent).toBeGreaterThan(0.5);
    expect(perAnswer / spent).toBeLessThan(2);
    for (const { id } of answers) await its.mark(id, "no");
    expect((await its.read()).last!.result).toMatchObject({ accepted: 0, sent: 0 });
    expect((await decisionsOf(ann, twinId)).sure).toEqual({ decided: answers.length, corrected: answers.length });
    // Another model makes it worth repeating.
    await ann.delete(`/api/organizations/${ann.caller.organizationId}/remote-model`);
    expect((await its.read()).changed).toEqual(["model"]);
  });

  test("a model that cannot be asked interrupts it, which the owner reads, and it goes on later", async () => {
    const { ann, twinId } = await connected();
    const its = exam(ann, twinId);
    model.script({ kind: "ok", text: '["почём привезёте по городу?"]' }, { kind: "error", status: 402 });
    expect(await its.asked()).toMatchObject({ state: "interrupted", failure: "model_unpaid", asked: 0 });
    expect(await its.asked()).toMatchObject({ state: "marking", failure: null });
  });
});

test("an answer without a probability waits at «confident» once too many like it were rejected, but not what the owner taught", () => {
  const plan = { kind: "knowledge", confidence: 0.9, reason: "…" } as const;
  const marks = { decided: 10, corrected: 3 };
  expect(examReason("confident", plan, {}, marks)).toBe("На экзамене вы приняли 7 из 10 таких ответов");
  expect(examReason("confident", plan, {}, { decided: 10, corrected: 0 })).toBeNull();
  expect(examReason("confident", plan, { corrected: {} as never }, marks)).toBeNull();
  expect(examReason("confident", { ...plan, sentFrom: 0.9 }, {}, marks)).toBeNull();
  expect(examReason("auto", plan, {}, marks)).toBeNull();
});
