/** Faults of a remote model, and how each one ends (docs/decisions/026-answer-verification.md). */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { draftReason } from "#server/inbox/conversation-control/answer-policy.ts";
import { Problem } from "#server/platform/errors.ts";
import { QUESTION_ABOUT_DELIVERY as request } from "#server/test/factories/reply-request.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { llmGenerator } from "../llm-generator.ts";
import { planAfter, planBefore } from "../planning/decide.ts";
import type { ReplyRequest } from "../reply-request.ts";

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer({ text: "Привезут завтра к обеду." });
});
afterEach(() => server.close());
const calm = new AbortController().signal;
const generator = () => llmGenerator({ baseUrl: server.baseUrl, model: "test" });

async function failure(one = generator()): Promise<Problem> {
  const error = await (async () => {
    for await (const _ of one.generate(request, calm));
  })().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

describe("a model that does not do what it is asked", () => {
  async function answered(asked: Partial<ReplyRequest> = {}) {
    const one = generator();
    const whole = { ...request, ...asked };
    let text = "";
    for await (const delta of one.generate(whole, calm)) text += delta;
    return { text, notes: one.notes?.(whole), plan: planAfter(one, whole, text), asked: server.requests.length };
  }
  /** Returns the content of the last message of the request with this index. */
  const last = (at: number) => server.requests.at(at)!.body.messages!.at(-1)!.content;

  test("an answer that is not a stream is read nevertheless", async () => {
    server.script({ kind: "whole", text: "Привезут завтра." });
    expect((await answered()).text).toBe("Привезут завтра.");
  });

  test.each(["message", "parts", "null-choices", "repeated", "text-time"] as const)(
    "a stream in the form «%s» of compatible servers is read once and whole",
    async (of) => {
      server.script({ kind: "dialect", of });
      expect(await answered()).toMatchObject({ text: "Привезут завтра к обеду.", asked: expect.any(Number) });
    },
  );

  test("an empty answer or a tool call is asked for once more; the second time it is a visible failure", async () => {
    for (const kind of [
      { kind: "ok", text: "" },
      { kind: "tool-call" },
      { kind: "reasoning", thought: "хм", text: "" },
    ] as const) {
      server.script(kind);
      expect((await answered()).text).toBe("Привезут завтра к обеду.");
      expect(last(-1)).toContain("Прошлый ответ не отправлен: он был пуст.");
      server.script(kind, kind);
      expect(await failure()).toMatchObject({ status: 502, code: "model_empty" });
    }
  });

  test.each([
    [{ message: "out of memory", code: 503 }, "model_failed"],
    [{ message: "slow down", code: 429 }, "model_busy"],
    ["no such model", "model_failed"],
  ] as const)("an error with the status of a success is a failure: %j", async (error, code) => {
    server.script({ kind: "error-inside", error });
    expect(await failure()).toMatchObject({ status: 502, code });
  });

  test.each([
    {
      status: 400,
      error: { code: "context_length_exceeded", message: "This model's maximum context length is 2048 tokens." },
    },
    { status: 400, error: { code: 400, type: "exceed_context_size_error", message: "too big", n_ctx: 2048 } },
    { status: 413, error: { message: "prompt is too long" } },
  ])(
    "what is more than the model sees at once is asked with less, now and later: $error.message",
    async ({ status, error }) => {
      const refusal = { kind: "error", status, body: JSON.stringify({ error }) } as const;
      const chunks = Array.from({ length: 6 }, (_, at) => ({
        ...request.chunks[0]!,
        id: `${at}`,
        text: `Пункт ${at}. ${at === 0 ? request.chunks[0]!.text : "слово ".repeat(400)}`,
      }));
      const one = generator();
      const ask = async () => {
        let text = "";
        for await (const delta of one.generate({ ...request, chunks }, calm)) text += delta;
        return text;
      };
      server.script(refusal);
      expect(await ask()).toBe("Привезут завтра к обеду.");
      expect(server.requests).toHaveLength(2);
      expect(last(1).length).toBeLessThan(last(0).length);
      expect(last(1)).toContain("Пункт 0");
      await ask();
      expect(server.requests).toHaveLength(3);
      expect(last(2).length).toBe(last(1).length);
      // The retries end even if shortening never helps.
      server.script(...Array.from({ length: 8 }, () => refusal));
      expect(await ask().catch((reason: unknown) => reason)).toMatchObject({ code: "model_rejected" });
    },
  );

  test("an answer that was cut off for its length ends with its last whole sentence", async () => {
    server.script({ kind: "ok", text: "Привезут завтра. Курьер привозит заказ к обе", finishReason: "length" });
    expect((await answered()).text).toBe("Привезут завтра.");
    server.script({ kind: "ok", text: "Курьер привозит заказ к обе", finishReason: "length" });
    expect((await answered()).text).toBe("Привезут завтра к обеду.");
    expect(last(-1)).toContain("он оборвался: уложись в два предложения");
  });

  test("the model gets one correction about unsourced statements, and its better answer is sent", async () => {
    server.script({ kind: "ok", text: "Здравствуйте! Привезём за 40 минут, доставка 500 рублей." });
    const { text, asked: calls, notes, plan } = await answered();
    expect([text, calls]).toEqual(["Привезут завтра к обеду.", 2]);
    expect(last(1)).toMatch(/чего нет ни в данных, ни в разговоре: «40 минут», «500 рублей»/);
    expect(notes).toMatchObject({ kind: "answered", again: true });
    expect(plan.kind).toBe("knowledge");
    expect(plan.confidence).toBeLessThan(0.7);
  });

  test("an answer without a source in both attempts is sent to nobody, and the owner is told what it was", async () => {
    const invented = { kind: "ok", text: "Сделаем скидку 30 % и привезём за 500 рублей." } as const;
    server.script(invented, invented);
    const { text, notes, plan, asked: calls } = await answered();
    expect(calls).toBe(2);
    expect(text).not.toMatch(/30|500|скидк/);
    expect(text).not.toBe("");
    expect(notes?.kind).toBe("held");
    expect(plan).toMatchObject({
      kind: "unknown",
      held: true,
      reason: expect.stringMatching(/чего нет ни в документах.*«30 %».*ответьте сами/),
    });
    expect(
      draftReason("auto", plan, {
        stopped: false,
        closed: null,
        textless: false,
        unclear: false,
        recentReplies: 0,
        risk: null,
        sender: "proven",
        stopUnproven: false,
      }),
    ).toBe("Ответ модели нужно проверить");
  });

  test("an honest «не знаю», as a mark or in words, is not asked for again and the message is left to the owner", async () => {
    for (const text of [
      "НЕТ_ДАННЫХ",
      "Я языковая модель, у меня нет доступа к заказам.",
      "Извините, я не могу ответить на этот вопрос.",
      "К сожалению, в данных этого не указано.",
      "Не знаю, уточню у мастера и отвечу.",
    ]) {
      server.script({ kind: "ok", text }, { kind: "ok", text });
      const { text: said, plan } = await answered();
      expect([text, plan.kind, plan.held ?? false]).toEqual([text, "unknown", false]);
      expect(plan.confidence).toBeLessThan(0.5);
      expect(said).not.toMatch(/НЕТ_ДАННЫХ|модель/);
      expect(said).not.toBe("");
    }
  });

  test("a greeting is answered even where the model says that it does not know", async () => {
    const greeting = { kind: "smalltalk", confidence: 0.95, reason: "Обычная беседа: приветствие." } as const;
    for (const text of ["НЕТ_ДАННЫХ", "Скидка 30 %, приедем за 500 рублей."]) {
      server.script({ kind: "ok", text }, { kind: "ok", text });
      const { text: said, plan } = await answered({ message: "Добрый день!", plan: greeting });
      expect(said).toMatch(/^(?:Здравствуйте|Добрый день|Привет)/);
      expect(plan).toEqual(greeting);
    }
  });

  test("a model may answer from chunks in which the word search has found no answer", async () => {
    const { text, plan } = await answered({
      plan: { kind: "unknown", confidence: 0, reason: "" },
      confidence: { chunks: 0, replyExamples: 0 },
    });
    expect(last(-1)).toContain("Курьер привозит заказ завтра");
    expect(last(-1)).not.toMatch(/не нашлось/);
    expect(text).toBe("Привезут завтра к обеду.");
    expect(plan).toMatchObject({ kind: "knowledge" });
    expect(plan.confidence).toBeGreaterThan(0.5);
    expect(planBefore(generator(), { ...request, plan: { kind: "unknown", confidence: 0, reason: "" } }).kind).toBe(
      "knowledge",
    );
  });

  test("after the first answer sentences are streamed as they come, and a faulty one in the middle is never sent", async () => {
    const one = generator();
    const deltas = async () => {
      const all: string[] = [];
      for await (const delta of one.generate(request, calm)) if (delta !== "") all.push(delta);
      return all;
    };
    await deltas();
    server.script({ kind: "ok", text: "Привезут завтра. Это стоит 900 рублей. Курьер привозит заказ к обеду." });
    expect(await deltas()).toEqual(["Привезут завтра.", " Курьер привозит заказ к обеду."]);
  });

  test("a fixed text in answer to a greeting is judged by what it states, not taken for small talk", async () => {
    const greeted = { message: "привет", plan: { kind: "smalltalk", confidence: 0.95, reason: "" } } as const;
    server.script({ kind: "ok", text: "Здравствуйте! Чем помочь?" });
    expect((await answered(greeted)).plan).toMatchObject({ kind: "smalltalk", confidence: 0.95 });
    server.script({ kind: "ok", text: "Курьер привозит заказ завтра к обеду." });
    expect((await answered(greeted)).plan.kind).toBe("knowledge");
    server.script({ kind: "ok", text: "Наша мастерская славится отзывчивыми сотрудниками повсюду." });
    const { plan } = await answered(greeted);
    expect(plan.confidence).toBeLessThan(0.7);
  });
});
