import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isForeign } from "#server/models/remote/model-address.ts";
import { Problem } from "#server/platform/errors.ts";
import { QUESTION_ABOUT_DELIVERY as request } from "#server/test/factories/reply-request.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { llmGenerator, type ModelSettings } from "./llm-generator.ts";
import type { ReplyRequest } from "./reply-request.ts";

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer({ text: "Привезут завтра к обеду." });
});
afterEach(() => server.close());

const calm = new AbortController().signal;

async function reply(
  settings: Partial<ModelSettings> = {},
  asked: Partial<ReplyRequest> = {},
  signal = new AbortController().signal,
) {
  let text = "";
  const generator = llmGenerator({
    contextTokens: 16_384,
    baseUrl: server.baseUrl,
    model: "test",
    apiKey: "secret-key",
    ...settings,
  });
  for await (const delta of generator.generate({ ...request, ...asked }, signal)) text += delta;
  return text;
}

async function failureOf(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

describe("the model generator", () => {
  test("streams what the model says and sends model, key and prompt", async () => {
    expect(await reply()).toBe("Привезут завтра к обеду.");
    const [sent] = server.requests;
    expect(sent!.headers.authorization).toBe("Bearer secret-key");
    expect(sent!.body).toMatchObject({ model: "test", stream: true });
    expect(sent!.body.messages!.at(-1)).toEqual({
      role: "user",
      content: expect.stringMatching(/\n\nСообщение собеседника:\nКогда привезут заказ\?$/),
    });
    expect(sent!.body.tools).toBeUndefined();
  });

  test("removes a model's reasoning from the answer", async () => {
    server.script(
      { kind: "reasoning", thought: "хм, подумаю" },
      { kind: "ok", text: "<think>скрыто от всех</think>\n\nГотово." },
    );
    expect(await reply()).toBe("Привезут завтра к обеду.");
    expect(await reply()).toBe("Готово.");
  });

  test("retries once when a busy model asks for a short wait", async () => {
    server.script({ kind: "rate-limited", retryAfter: 0.2 });
    expect(await reply()).toBe("Привезут завтра к обеду.");
    expect(server.requests).toHaveLength(2);
  });

  test("reports a model that stays busy, with its Retry-After", async () => {
    server.script({ kind: "rate-limited", retryAfter: 30 });
    const problem = await failureOf(reply());
    expect(problem).toMatchObject({
      status: 502,
      code: "model_busy",
      message: "Модель перегружена. Попробуйте еще раз через минуту.",
      headers: { "retry-after": "30" },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("does not retry a second failure, nor one without a Retry-After", async () => {
    server.script({ kind: "rate-limited", retryAfter: 0 }, { kind: "rate-limited", retryAfter: 0 });
    expect((await failureOf(reply())).code).toBe("model_busy");
    server.script({ kind: "rate-limited" });
    expect((await failureOf(reply())).code).toBe("model_busy");
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    [{ kind: "error", status: 500 }, "model_failed"],
    [{ kind: "error", status: 503 }, "model_failed"],
    [{ kind: "error", status: 401 }, "model_rejected"],
    [{ kind: "error", status: 404 }, "model_rejected"],
    [{ kind: "cut", after: 0 }, "model_cut"],
    [{ kind: "cut", after: 2 }, "model_cut"],
    [{ kind: "ends-early", after: 2 }, "model_cut"],
    [{ kind: "malformed" }, "model_malformed"],
    [{ kind: "error-chunk", message: "out of memory" }, "model_malformed"],
    [{ kind: "redirect", to: "http://127.0.0.1:1/v1/chat/completions" }, "model_failed"],
    [{ kind: "ok", text: "", finishReason: "content_filter" }, "model_refused"],
  ] as const)("fails visibly on %j as %s", async (behaviour, code) => {
    server.script(behaviour);
    const problem = await failureOf(reply());
    expect(problem).toMatchObject({ status: 502, code });
    expect(problem.message).toMatch(/^(?:Модель|Ответ модели) .+\.$/);
    expect(server.requests).toHaveLength(1);
  });

  const named = (error: object) => JSON.stringify({ error: { message: "no", ...error } });
  const AZURE = { code: "content_filter", status: 400, innererror: { code: "ResponsibleAIPolicyViolation" } };
  const DASHSCOPE = { code: "data_inspection_failed", type: "data_inspection_failed" };
  test.each([
    ["Azure", { kind: "error", status: 400, body: named(AZURE) }],
    ["OpenAI", { kind: "error", status: 400, body: named({ code: "invalid_prompt", type: "invalid_request_error" }) }],
    ["DashScope", { kind: "error", status: 400, body: named(DASHSCOPE) }],
    ["DashScope of old", { kind: "error", status: 400, body: '{"code":"DataInspectionFailed","message":"no"}' }],
    ["Moonshot", { kind: "error", status: 400, body: named({ type: "content_filter" }) }],
    ["DeepSeek", { kind: "error", status: 400, body: named({ message: "Content Exists Risk" }) }],
    ["Volcengine", { kind: "error", status: 400, body: named({ code: "InputTextSensitiveContentDetected" }) }],
    ["OpenRouter", { kind: "error", status: 403, body: named({ code: 403, metadata: { flagged_input: "…" } }) }],
    ["a success with an error", { kind: "error-inside", error: { message: "no", ...DASHSCOPE } }],
  ] as const)("a message that %s refuses for its content is asked once and unlearns no option", async (_, refusal) => {
    const generator = llmGenerator({ contextTokens: 16_384, baseUrl: server.baseUrl, model: "test" });
    const ask = async () => {
      for await (const _ of generator.generate({ ...request }, calm));
    };
    server.script(refusal);
    const problem = await failureOf(ask());
    expect(problem).toMatchObject({ code: "model_refused", message: "Модель отказалась отвечать на это сообщение." });
    await ask();
    const options = server.requests.map(({ body: { messages: _, ...rest } }) => rest);
    expect(options).toHaveLength(2);
    expect(options[1]).toEqual(options[0]);
    expect(options[1]).toMatchObject({ temperature: 0.3, response_format: { type: "json_schema" } });
  });

  test("a refusal whose cause no one knows unlearns nothing either, unless the message is answered with less", async () => {
    const generator = llmGenerator({ contextTokens: 16_384, baseUrl: server.baseUrl, model: "test" });
    const ask = async () => {
      for await (const _ of generator.generate({ ...request }, calm));
    };
    const refusal = { kind: "error", status: 400 } as const;
    server.script(refusal, refusal, refusal, refusal);
    expect(await failureOf(ask())).toMatchObject({ code: "model_rejected" });
    server.requests.length = 0;
    await ask();
    expect(server.requests[0]!.body).toMatchObject({ temperature: 0.3, response_format: { type: "json_schema" } });
  });

  test("fails visibly when no server listens at the address", async () => {
    expect(await failureOf(reply({ baseUrl: "http://127.0.0.1:9/v1" }))).toMatchObject({
      status: 502,
      code: "model_failed",
    });
  });

  test("keeps prompt and answer out of the log", async () => {
    for (const behaviour of [
      { kind: "error", status: 400, body: JSON.stringify({ error: { message: "bad: Когда привезут" } }) },
      { kind: "malformed" },
    ] as const) {
      // A refused request is asked again without options and in the lesser formats.
      server.script(behaviour, behaviour, behaviour, behaviour);
      const problem = await failureOf(reply());
      expect(
        JSON.stringify(problem, Object.getOwnPropertyNames(problem)) + String((problem.cause as Error).message),
      ).not.toMatch(/привезут|Курьера|secret-key/i);
    }
  });

  test("gives up on a model that does not answer or falls silent", async () => {
    server.script({ kind: "hang" });
    expect((await failureOf(reply({ firstTokenMs: 80 }))).code).toBe("model_timeout");
    server.script({ kind: "stall", after: 1 });
    expect((await failureOf(reply({ firstTokenMs: 80, totalMs: 200 }))).code).toBe("model_timeout");
    await expect.poll(() => server.dropped).toBe(2);
  });

  test("ends the request when the asker leaves", async () => {
    server.script({ kind: "stall", after: 1 });
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error("left")), 60);
    await expect(reply({}, {}, leaving.signal)).rejects.toThrow("left");
    server.script(
      { kind: "ok" },
      { kind: "ok" },
      { kind: "stall", after: 6, text: "Привезут завтра. Курьер привозит заказ." },
    );
    const deltas = llmGenerator({ contextTokens: 16_384, baseUrl: server.baseUrl, model: "test" });
    // Answers are read whole until it is known that the model returns no records, and how its reasoning begins.
    for (let at = 0; at < 2; at++) for await (const _ of deltas.generate(request, calm));
    for await (const delta of deltas.generate(request, calm)) if (delta !== "") break;
    await expect.poll(() => server.dropped).toBe(2);
  });

  test("hides phone numbers and the like from a foreign model and shows them to the asker", async () => {
    server.script({ kind: "ok" });
    const sees = await startOpenAiServer({
      text: ({ body }) => `Звони ${/\[PHONE_1_\w+\]/.exec(body.messages!.at(-1)!.content)![0]} завтра`,
    });
    expect(
      await reply({ baseUrl: sees.baseUrl, foreign: true }, { message: "Моя почта me@example.org, кому звонить?" }),
    ).toBe("Звони +7 912 345-67-89 завтра");
    expect(JSON.stringify(sees.requests)).not.toMatch(/345-67-89|me@example\.org/);
    await sees.close();
  });

  test("shows everything to a model of the organisation's own", async () => {
    await reply();
    expect(JSON.stringify(server.requests)).toContain("+7 912 345-67-89");
  });

  test("never asks the model who answers", async () => {
    expect(await reply({}, { message: "ты бот?", plan: { kind: "smalltalk", confidence: 1, reason: "" } })).toMatch(
      /^Это ИИ-двойник/,
    );
    expect(server.requests).toHaveLength(0);
  });
});

test.each([
  ["http://127.0.0.1:11434/v1", false],
  ["http://localhost:8080/v1", false],
  ["http://ollama:11434/v1", false],
  ["http://[::1]:1/v1", false],
  ["http://192.168.1.5/v1", false],
  ["http://model.internal/v1", false],
  ["https://api.openai.com/v1", true],
  ["http://8.8.8.8/v1", true],
  ["http://[2001:4860::1]/v1", true],
])("a model at %s is foreign: %s", (url, foreign) => {
  expect(isForeign(url)).toBe(foreign);
});
