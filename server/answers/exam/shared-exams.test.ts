/** The exam of a model that all organisations share: of the server's settings, and local ones. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Reply } from "#contract/conversations/conversations.ts";
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import type { SharedExam } from "#contract/models/shared-exams.ts";
import { localGenerator } from "#server/answers/replies/local-generator.ts";
import { ModelFailure } from "#server/models/host/failures.ts";
import type { Generated, ModelHost } from "#server/models/host/model-host.ts";
import { modelExams } from "#server/platform/db/schema/exams.ts";
import { createLog } from "#server/platform/log.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { askQuestions } from "./ask-questions.ts";
import { EXAM } from "./exam-questions.ts";

let t: TestApp;
let model: OpenAiServer;
let operator: TestClient;
beforeAll(async () => {
  model = await startOpenAiServer({ text: () => "Это стоит 999 рублей!" });
  t = await testApp({ llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 20 } });
  operator = await t.signUp({ superAdmin: true });
});
afterAll(async () => {
  await t.close();
  await model.close();
});
beforeEach(async () => {
  await t.services.db.delete(modelExams);
  await t.services.sharedAbilities.refresh();
  model.requests.length = 0;
});

const AT = "/api/admin/model-exams";
const list = async () => (await operator.get(AT)).json<SharedExam[]>();
async function examined(): Promise<SharedExam> {
  const begun = await operator.post(`${AT}/settings`);
  expect(begun.statusCode, begun.body).toBe(200);
  expect(begun.json<SharedExam[]>()[0]).toMatchObject({ examining: { of: 30 }, examFailure: null });
  await t.jobsIdle();
  return (await list())[0]!;
}

test("the model of the server's settings is not checked until its exam, whose marks decide what it is asked from then on", async () => {
  expect(await list()).toEqual([
    { id: "settings", name: "m", isRemote: true, exam: null, examining: null, examFailure: null },
  ]);
  const user = await t.signUp();
  const twinId = await buildTwin(user);
  await buildDocument(user, twinId, "Доставка по городу стоит 300 рублей, привозим в день заказа.");
  await t.jobsIdle();
  const asked = async () => {
    model.requests.length = 0;
    const answer = await user.post("/api/ai-generate", { twinId, message: "Сколько стоит доставка по городу?" });
    return { ...answer.json<Reply>(), calls: model.requests.length };
  };
  expect((await asked()).calls).toBeGreaterThan(0);
  const { exam } = await examined();
  expect(exam).toMatchObject({ asked: 30, ability: "small-talk" });
  expect(exam!.tokens).toBeGreaterThan(1000);
  const { answers } = (await operator.get(`${AT}/settings`)).json<{ answers: ExamAnswer[] }>();
  expect(answers).toHaveLength(30);
  expect(answers[1]).toEqual({
    ...{ question: EXAM[1]!.message, expected: "1 500 ₽", mark: "honest" },
    said: expect.any(String),
  });
  expect(answers.find(({ before }) => before !== undefined)?.before).toContain("700 ₽");
  expect(await asked()).toMatchObject({ calls: 0, response: expect.stringContaining("300") });
});

test("an interrupted exam goes on where it was, and nobody else may hold or read it", async () => {
  model.script(...Array.from({ length: 6 }, () => ({ kind: "ok", text: "Не знаю." }) as const), {
    kind: "error",
    status: 402,
  });
  const broken = await examined();
  expect(broken).toMatchObject({ exam: null, examining: null, examFailure: "model_unpaid" });
  const [row] = await t.services.db.select().from(modelExams);
  const kept = row!.run!.answers!.length;
  expect(kept).toBeGreaterThan(0);
  model.requests.length = 0;
  expect(await examined()).toMatchObject({ exam: { asked: 30 }, examFailure: null });
  const first = model.requests.some(({ body }) => JSON.stringify(body.messages).includes(EXAM[0]!.message));
  expect(first).toBe(false);
  const admin = await t.signUp({ role: "org_admin" });
  for (const answer of [await admin.get(AT), await admin.get(`${AT}/settings`), await admin.post(`${AT}/settings`)])
    expect(answer.statusCode).toBe(403);
  const unknown = "00000000-0000-4000-8000-000000000001";
  expect((await operator.post(`${AT}/${unknown}`)).json()).toMatchObject({ code: "model_not_found" });
});

/** Asks a local model that answers as `say` does. */
function localExam(say: (message: string) => string) {
  const host = {
    facts: async () => ({ generator: { contextTokens: 8192, parameters: 1e9 } }),
    async *generate({ turns }: { turns: { content: string }[] }): AsyncGenerator<string, Generated> {
      yield say(turns.at(-1)!.content);
      return { stopped: "end", input: 1, output: 1, reused: 0 };
    },
    prefill: async () => null,
  } as unknown as ModelHost;
  const settings = { host, log: createLog("silent"), totalMs: 60_000 };
  return askQuestions({
    generator: localGenerator({ ...settings, ability: () => "answers" }),
    payer: { organizationId: "o", userId: "u", twinId: null },
    ...{ signal: new AbortController().signal, isOnThisServer: true, spent: () => 0, isWanted: async () => true },
  });
}

test("a local model is marked by its own words and not by what the twin would say in its place; one missed answer is its own", async () => {
  let asked = 0;
  const result = await localExam((message) => {
    asked++;
    if (message.includes("до скольки вы в субботу")) throw new ModelFailure("late", "too slow");
    return "Заменить молнию в куртке: 1 500 ₽.";
  });
  const { answers, exam } = result!;
  expect(asked).toBeGreaterThanOrEqual(30);
  expect(answers[0]).toMatchObject({ said: null, mark: "honest" });
  expect(answers[1]).toMatchObject({ said: expect.stringContaining("1 500"), mark: "right" });
  expect(answers[3]!.said).not.toContain("4");
  expect(exam.ability).not.toBe("answers");
  await expect(
    localExam(() => {
      throw new ModelFailure("memory", "no memory");
    }),
  ).rejects.toMatchObject({ code: "model_failed" });
});
