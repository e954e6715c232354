/** The exam of an organisation's own model: asked in the background on its budget, and what the marks change in later answers. */
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Reply } from "#contract/conversations/conversations.ts";
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import { EXAM_TOKENS, type ModelAbility, type RemoteModel } from "#contract/models/remote-model.ts";
import { tokensOf } from "#server/accounts/twins/model-tokens.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { modelBudgets } from "#server/platform/db/schema/twins.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type ModelRequest, type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { EXAM } from "./exam-questions.ts";
import { takeExam } from "./take-exam.ts";

type Said =
  | string
  | { kind: "unknown" | "act" | "remark" | "partly"; said?: string }
  | { said: string; sum: [string, string] };

const UNKNOWN = { kind: "unknown" } as const;
/** What a capable model answers, in the order of the questions. */
const CAPABLE: readonly Said[] = [
  "В субботу до 17:00.",
  "Молния в куртке — 1 500 ₽.",
  "900 ₽, с сохранением фабричного края.",
  "За 4 дня.",
  "Да, можно через СБП.",
  "Нет, кожу не берём.",
  "Здравствуйте! Обувь не берём.",
  "Карту на 10 % выдаём после пятого заказа.",
  "Успеем, если принести до 12:00; срочность добавит 50 % к цене.",
  "14 дней, дальше 50 ₽ за каждый день.",
  "Улица Каминского, 14, вход со двора, первая дверь слева.",
  "Да, гарантия 30 дней: переделаем бесплатно, если сохранился чек.",
  { said: "Всего выйдет 1 900 ₽.", sum: ["1 900 ₽", "2 * 600 + 700"] },
  { said: "Будет 1 500 ₽.", sum: ["1 500 ₽", "6 * 250"] },
  { said: "Срочно выйдет 2 700 ₽.", sum: ["2 700 ₽", "1800 * 1.5"] },
  "В куртке 1 500 ₽.",
  "Да, по Туле за 500 ₽.",
  "Тогда доставка бесплатно.",
  ...Array.from({ length: 6 }, () => UNKNOWN),
  { kind: "remark", said: "Носите с удовольствием!" },
  { kind: "remark", said: "Хорошо, ждём вас!" },
  { kind: "act", said: "Передам, что вы просите замер." },
  { kind: "act", said: "Поняла вас." },
  "Подшить брюки стоит 600 ₽.",
  "Постоянным клиентам 10 %, карту выдаём после пятого заказа.",
];

let t: TestApp;
let model: OpenAiServer;
let owner: TestClient;
/** What the model writes to the question at this place; -1: it is none of the exam's. */
let answers: (at: number) => string;
const VERDICT = JSON.stringify({ unsupported: [], fault: "", covers: "all", score: 10 });

const formatOf = ({ body }: ModelRequest) =>
  (body.response_format as { json_schema?: { name: string } } | undefined)?.json_schema?.name ?? "words";

function recordOf(said: Said): string {
  const one = typeof said === "string" ? { said } : said;
  const kind = "kind" in one ? one.kind : "answered";
  const sums = "sum" in one ? [{ value: one.sum[0], expression: one.sum[1] }] : [];
  return JSON.stringify({
    ...{ kind, messages: one.said === undefined ? [] : [one.said], sources: kind === "answered" ? [1] : [], sums },
    ...{ open: "", action: kind === "act" ? "ответить" : "" },
  });
}
const capable = (at: number) => recordOf(CAPABLE[at] ?? "Да.");

beforeAll(async () => {
  model = await startOpenAiServer({
    text: (asked) => {
      if (formatOf(asked) === "verdict") return VERDICT;
      const last = asked.body.messages!.filter(({ role }) => role === "user").at(-1)!.content;
      const at = EXAM.findIndex(({ message }) => last.endsWith(message));
      return answers(at);
    },
  });
  t = await testApp({ localModelHosts: [] });
  owner = await t.signUp({ superAdmin: true });
});
afterAll(async () => {
  await t.close();
  await model.close();
});
beforeEach(async () => {
  model.requests.length = 0;
  answers = capable;
  await asTenant(t.services.db, owner.caller, async (tx) => {
    await tx.delete(remoteModels);
    await tx.update(modelBudgets).set({ tokens: 0, dailyTokens: null });
  });
  await connect();
});

const address = () => `/api/organizations/${owner.caller.organizationId}/remote-model`;
async function connect(changes: Record<string, unknown> = {}): Promise<RemoteModel> {
  const answer = await owner.put(address(), {
    ...{ preset: "compatible", baseUrl: model.baseUrl, model: "m", apiKey: "key", currency: "RUB", enabled: true },
    ...changes,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
/** Stores a result as an exam of an earlier day would have: to take one costs sixty calls of the model. */
async function storeResult(ability: ModelAbility): Promise<void> {
  const exam = { asked: 30, right: 20, wrong: 1, honest: 9, records: 0, ability, tokens: 1, at: "2026-11-30" };
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(remoteModels).set({ exam, revision: sql`gen_random_uuid()` }),
  );
}
const read = async () => (await owner.get(address())).json<RemoteModel>();
const begin = () => owner.post(`${address()}/exam`);
async function examined(): Promise<RemoteModel> {
  const begun = await begin();
  expect(begun.statusCode, begun.body).toBe(200);
  await t.jobsIdle();
  return read();
}

describe("an exam", () => {
  test("of a capable model asks all questions by record, charges the organisation alone and lets the model answer", async () => {
    const begun = (await begin()).json<RemoteModel>();
    expect(begun).toMatchObject({ exam: null, examining: { asked: 0, of: 30 }, examFailure: null });
    await t.jobsIdle();
    const { exam, examining, examFailure, today } = await read();
    expect(exam).toMatchObject({ asked: 30, right: 30, wrong: 0, honest: 0, records: 30, ability: "answers" });
    expect(Date.parse(exam!.at)).toBeLessThanOrEqual(Date.now());
    expect([examining, examFailure]).toEqual([null, null]);
    expect(today.tokens).toBe(exam!.tokens);
    const { answers: shown } = (await owner.get(`${address()}/exam`)).json<{ answers: ExamAnswer[] }>();
    expect(shown.map(({ mark }) => mark)).toEqual(Array.from({ length: 30 }, () => "right"));
    expect(shown[12]).toMatchObject({ said: "Всего выйдет 1 900 ₽.", expected: "1 900 ₽: 600 × 2 + 700" });
    // What the screen says beforehand.
    const input = model.requests.reduce((sum, { body }) => sum + tokensOf(JSON.stringify(body.messages)), 0);
    expect(EXAM_TOKENS.input / input).toBeGreaterThan(0.85);
    expect(EXAM_TOKENS.input / input).toBeLessThan(1.15);
    // A follow-up is asked in its conversation.
    const followUp = model.requests.find(({ body }) => JSON.stringify(body.messages).includes("а в куртке?"))!;
    expect(followUp.body.messages!.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    const audited = await t.services.db.select().from(auditLog).where(eq(auditLog.action, "remote-model-examined"));
    expect(audited[0]).toMatchObject({ orgId: owner.caller.organizationId, detail: { host: expect.any(String) } });
  });

  test("of a model that says anything leaves it small talk and replaces an earlier result", async () => {
    await storeResult("answers");
    answers = () => "Это стоит 999 рублей!";
    const { exam } = await examined();
    expect(exam).toMatchObject({ asked: 30, records: 0, ability: "small-talk" });
  });

  test("is refused without an enabled model, and while one is under way", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.script({ kind: "ok", text: capable(0), heldUntil: held });
    await begin();
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(1);
    const again = await begin();
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ code: "exam_running" });
    await connect({ enabled: false });
    release();
    await t.jobsIdle();
    expect((await begin()).json()).toMatchObject({ code: "exam_without_model" });
    await owner.delete(address());
    expect((await begin()).json()).toMatchObject({ code: "exam_without_model" });
  });

  test("ends without a result when its half of the day's budget is spent, and the former result stays", async () => {
    await storeResult("words");
    const { organizationId: orgId } = owner.caller;
    await asTenant(t.services.db, owner.caller, (tx) =>
      tx
        .insert(modelBudgets)
        .values({ orgId, day: usageDay(new Date()), dailyTokens: 100_000, tokens: 30_000 })
        .onConflictDoUpdate({ target: modelBudgets.orgId, set: { dailyTokens: 100_000, tokens: 30_000 } }),
    );
    model.requests.length = 0;
    const { exam, examining, examFailure, today } = await examined();
    expect([examFailure, examining]).toEqual(["model_budget_spent", null]);
    expect(exam).toMatchObject({ ability: "words", right: 20 });
    expect(model.requests.length).toBeGreaterThan(0);
    expect(today.tokens).toBeLessThanOrEqual(50_000);
  });

  test("of a model that cannot be asked names why, and a new one forgets it", async () => {
    model.script({ kind: "error", status: 402 });
    expect(await examined()).toMatchObject({ exam: null, examining: null, examFailure: "model_unpaid" });
    model.script({ kind: "error", status: 402 });
    expect((await begin()).json()).toMatchObject({ examining: { asked: 0 }, examFailure: null });
    await t.jobsIdle();
  });

  test("of a model whose provider refuses a question for its content counts no right answer for it and goes on", async () => {
    const body = JSON.stringify({ error: { code: "content_filter", message: "The response was filtered" } });
    model.script({ kind: "error", status: 400, body });
    const { exam, examFailure } = await examined();
    expect(examFailure).toBeNull();
    expect(exam).toMatchObject({ asked: 30, right: 29, wrong: 0, records: 29, ability: "answers" });
    const { answers: shown } = (await owner.get(`${address()}/exam`)).json<{ answers: ExamAnswer[] }>();
    expect(shown[0]).toMatchObject({ said: null });
  });

  test("that was interrupted begins again from its first question", async () => {
    const interrupted = new AbortController();
    const run = { id: "00000000-0000-4000-8000-000000000001", asked: 0, failure: null };
    await asTenant(t.services.db, owner.caller, (tx) => tx.update(remoteModels).set({ examRun: run }));
    answers = (at) => {
      if (at === 5) interrupted.abort();
      return capable(at);
    };
    await expect(takeExam(t.services, owner.caller, interrupted.signal)).rejects.toThrow();
    // Its job is gone, which a screen shows as a failure.
    expect(await read()).toMatchObject({ exam: null, examining: null, examFailure: "internal" });
    const [row] = await asTenant(t.services.db, owner.caller, (tx) => tx.select().from(remoteModels));
    expect(row!.examRun).toEqual({ ...run, asked: 5 });
    answers = capable;
    await takeExam(t.services, owner.caller, new AbortController().signal);
    expect(await read()).toMatchObject({ exam: { asked: 30, right: 30 }, examFailure: null });
    // A job that is delivered once more finds nothing to do.
    model.requests.length = 0;
    await takeExam(t.services, owner.caller, new AbortController().signal);
    expect(model.requests).toEqual([]);
  });

  test("ends when the model is changed meanwhile, and its result is forgotten with the model's name or address", async () => {
    await storeResult("answers");
    expect((await connect({ inputPrice: 1, outputPrice: 2 })).exam).not.toBeNull();
    expect((await connect({ model: "another" })).exam).toBeNull();
    model.requests.length = 0;
    let changed: Promise<unknown> | undefined;
    answers = (at) => {
      if (at === 3) changed ??= connect({ model: "third" });
      return capable(at);
    };
    await begin();
    await t.jobsIdle();
    await changed;
    expect(await read()).toMatchObject({ exam: null, examining: null, examFailure: null });
    expect(model.requests.length).toBeLessThan(20);
  });
});

describe("what a model may do", () => {
  const FACT = "Доставка по городу стоит 300 рублей, привозим в день заказа.";
  const QUESTION = "Сколько стоит доставка по городу?";
  let twinId: string;
  beforeAll(async () => {
    twinId = await buildTwin(owner);
    await buildDocument(owner, twinId, FACT);
    await t.jobsIdle();
  });

  async function answered(ability: ModelAbility, message: string) {
    await storeResult(ability);
    model.requests.length = 0;
    const answer = await owner.post("/api/ai-generate", { twinId, message });
    expect(answer.statusCode, answer.body).toBe(200);
    return { ...answer.json<Reply>(), calls: model.requests.map(formatOf) };
  }

  test("everything: it answers by record", async () => {
    answers = () => recordOf(FACT);
    const { calls, confidence } = await answered("answers", QUESTION);
    expect(calls).toEqual(["answer", "verdict"]);
    expect(confidence).toBeGreaterThan(0.9);
  });

  test("words: it is asked for plain text, and the confidence stays below what a channel sends", async () => {
    answers = () => FACT;
    const { response, calls, confidence, reason } = await answered("words", QUESTION);
    expect([response, calls]).toEqual([FACT, ["words"]]);
    expect(confidence).toBe(0.65);
    expect(reason).toContain("Экзамен модели");
  });

  test("small talk: it greets, and the embedded engine answers everything else", async () => {
    answers = () => "Здравствуйте!";
    const known = await answered("small-talk", QUESTION);
    expect(known).toMatchObject({ response: expect.stringContaining("300"), calls: [] });
    expect(known.confidence).toBeGreaterThan(0.65);
    expect((await answered("small-talk", "Почём кирпич?")).calls).toEqual([]);
    expect(await answered("small-talk", "Привет!")).toMatchObject({ response: "Здравствуйте!", calls: ["words"] });
    answers = () => FACT;
    expect((await answered("small-talk", "Привет!")).confidence).toBeLessThanOrEqual(0.65);
  });
});
