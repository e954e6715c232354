/** The outcome of a capable model's answers: sent whole, repaired once, or held whole (docs/decisions/040-answer-records.md). */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TURN_CALLS } from "#contract/models/remote-model.ts";
import type { CorrectedAnswer } from "#server/knowledge/corrections/active-corrections.ts";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import { type ModelRequest, type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { llmGenerator } from "./llm-generator.ts";
import { citationsOf } from "./planning/citations.ts";
import { planAfter } from "./planning/decide.ts";
import type { AnswerRecord, Verdict } from "./recorded-answer.ts";
import type { ReplyRequest } from "./reply-request.ts";

const request: ReplyRequest = {
  ...QUESTION_ABOUT_DELIVERY,
  chunks: [
    ...QUESTION_ABOUT_DELIVERY.chunks,
    { ...QUESTION_ABOUT_DELIVERY.chunks[0]!, id: "r", name: "Возврат.docx", text: "Возврат в течение 14 дней." },
  ],
};
/** Number of the owner's correction among the sources: it stands after the chunks. */
const CORRECTION = request.chunks.length + 1;
const GOOD: Verdict = { unsupported: [], fault: "", covers: "all", score: 10 };
const record = (messages: string[], more: Partial<AnswerRecord> = {}): AnswerRecord => ({
  ...{ kind: "answered", messages, sources: [1], sums: [], open: "", action: "", search: "", ...more },
});

let server: OpenAiServer;
/** What the model writes next; the last one again and again. */
let records: (AnswerRecord | string)[];
let verdicts: (Verdict | string)[];

const kindOf = ({ body }: ModelRequest): string =>
  (body.response_format as { json_schema?: { name: string } } | undefined)?.json_schema?.name ?? "words";

beforeEach(async () => {
  verdicts = [GOOD];
  server = await startOpenAiServer({
    text: (asked) => {
      const from = kindOf(asked) === "verdict" ? verdicts : records;
      const next = from.length > 1 ? from.shift()! : from[0]!;
      return typeof next === "string" ? next : JSON.stringify(next);
    },
  });
});
afterEach(() => server.close());

async function answered(asked: Partial<ReplyRequest> = {}) {
  const generator = llmGenerator({ baseUrl: server.baseUrl, model: "capable" });
  const whole = { ...request, ...asked };
  let text = "";
  for await (const delta of generator.generate(whole, new AbortController().signal)) text += delta;
  const plan = planAfter(generator, whole, text);
  return { text, plan, citations: citationsOf(generator, whole, text), calls: server.requests.map(kindOf) };
}
const said = (at: number) => server.requests.at(at)!.body.messages!.at(-1)!.content;

describe("an answer with a record", () => {
  test("is verified by one more call and sent whole, with the sources that it names", async () => {
    records = [record(["Курьер приедет завтра к обеду.", "Телефон +7 912 345-67-89."])];
    const { text, plan, citations, calls } = await answered();
    expect(text).toBe("Курьер приедет завтра к обеду.\n\nТелефон +7 912 345-67-89.");
    expect(calls).toEqual(["answer", "verdict"]);
    expect(calls).toHaveLength(TURN_CALLS.usual);
    expect(plan.kind).toBe("knowledge");
    expect(plan.confidence).toBeGreaterThan(plan.sentFrom!);
    expect(citations.sources.map(({ name }) => name)).toEqual(["Доставка"]);
  });

  test("shows sources by number, without file names, and the verifier the same sources", async () => {
    records = [record(["Завтра."])];
    await answered();
    const [asked, verified] = server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(asked).toContain("Документ «Возврат»");
    expect(asked).toContain("[2]");
    expect(`${asked}${verified}`).not.toContain("docx");
    expect(verified).toContain("Возврат в течение 14 дней.");
    expect(verified).toContain("1. Завтра.");
  });

  test("with a number that stands nowhere is repaired: the model reads its own answer and the place", async () => {
    records = [record(["Завтра, доставка 500 рублей."]), record(["Завтра к обеду."])];
    const { text, calls } = await answered();
    expect(text).toBe("Завтра к обеду.");
    expect(calls).toEqual(["answer", "answer", "verdict"]);
    const turns = server.requests[1]!.body.messages!;
    expect(turns.at(-2)).toMatchObject({ role: "assistant", content: expect.stringContaining("доставка 500 рублей") });
    expect(said(1)).toContain("«500 рублей»");
  });

  test("that stays wrong is held whole: the owner reads it as a draft with the place, nobody else reads it", async () => {
    records = [record(["Завтра, доставка 500 рублей."])];
    const { text, plan } = await answered({ drafted: true });
    expect(text).toBe("Завтра, доставка 500 рублей.");
    expect(plan).toMatchObject({ held: true, reason: expect.stringContaining("«500 рублей»") });
    expect((await answered()).text).not.toContain("500");
  });

  test("that a verifier doubts is repaired by its words; what it still doubts is not sent", async () => {
    records = [record(["Возврат через 14 дней."]), record(["Возврат возможен 14 дней."])];
    const doubt: Verdict = { unsupported: [1], fault: "14 дней — срок, а не ожидание", covers: "all", score: 2 };
    verdicts = [doubt, GOOD];
    const { text, calls, plan } = await answered();
    expect(text).toBe("Возврат возможен 14 дней.");
    expect(calls).toEqual(["answer", "verdict", "answer", "verdict"]);
    expect(said(2)).toContain("14 дней — срок, а не ожидание");
    verdicts = [doubt];
    records = [record(["Возврат через 14 дней."])];
    const doubted = await answered();
    expect(doubted.plan.confidence).toBeLessThan(doubted.plan.sentFrom!);
    expect(plan.kind).toBe("knowledge");
  });

  test("that is partly known opens the rest as a gap", async () => {
    records = [record(["Завтра. Про возврат узнаю."], { kind: "partly", open: "сколько ждать возврата" })];
    const { plan } = await answered();
    expect(plan).toMatchObject({ kind: "knowledge", open: "сколько ждать возврата" });
  });

  test("that knows nothing says so in the twin's words, at the price of one call", async () => {
    records = [record([], { kind: "unknown" })];
    const { text, plan, calls } = await answered();
    expect(text).not.toBe("");
    expect(plan.kind).toBe("unknown");
    expect(calls).toEqual(["answer"]);
  });

  test("to a request names what the owner must do, and waits for him", async () => {
    records = [record(["Передам."], { kind: "act", sources: [], action: "перенести доставку на пятницу" })];
    const { plan, citations } = await answered({ message: "перенесите на пятницу" });
    expect(citations).toMatchObject({ basis: "unknown", action: "перенести доставку на пятницу" });
    expect(plan).toMatchObject({ kind: "unknown", action: "перенести доставку на пятницу" });
  });

  test("that knows nothing looks once more, by words of its own, where it was shown a part of the knowledge", async () => {
    const more = { ...QUESTION_ABOUT_DELIVERY.chunks[0]!, id: "m", name: "Прокат", text: "Штроборез: 900 ₽ в сутки." };
    const asked: string[] = [];
    const secondLook = {
      chunks: [],
      find: async (query: string) => {
        asked.push(query);
        return [more, request.chunks[0]!];
      },
    };
    records = [
      record([], { kind: "unknown", search: "штроборез прокат" }),
      record(["900 ₽ в сутки."], { sources: [1] }),
    ];
    const { text, calls, citations } = await answered({ message: "канавки резать под проводку", secondLook });
    expect([text, asked]).toEqual(["900 ₽ в сутки.", ["штроборез прокат"]]);
    expect(calls).toEqual(["answer", "answer", "verdict"]);
    expect(citations.sources.map(({ name }) => name)).toEqual(["Прокат"]);
    // The dearest answer there is: what was found on the second look is doubted and repaired.
    records = [
      record([], { kind: "unknown", search: "штроборез прокат" }),
      record(["900 ₽ за всё."], { sources: [1] }),
      record(["900 ₽ в сутки."], { sources: [1] }),
    ];
    verdicts = [{ unsupported: [1], fault: "900 ₽ — за сутки", covers: "all", score: 2 }, GOOD];
    const dearest = await answered({ message: "штроборез почём", secondLook: { ...secondLook, chunks: [] } });
    expect(dearest.calls.slice(3)).toEqual(["answer", "answer", "verdict", "answer", "verdict"]);
    expect(dearest.calls.slice(3)).toHaveLength(TURN_CALLS.most);
    const everything = [...request.chunks];
    records = [record([], { kind: "unknown", search: "штроборез" })];
    expect((await answered({ everything, secondLook })).calls.slice(8)).toEqual(["answer"]);
  });

  test("to thanks needs no verifier, unless it promises something; an amount in it is checked all the same", async () => {
    verdicts = [{ ...GOOD, unsupported: [1], fault: "бонусов никто не обещал", score: 1 }];
    records = [record(["Начислю вам бонусы."], { kind: "remark", sources: [] })];
    const promised = await answered({ message: "спасибо", drafted: true });
    expect(promised.plan.confidence).toBeLessThan(promised.plan.sentFrom!);
    server.requests.length = 0;
    records = [record(["Пожалуйста!"], { kind: "remark", sources: [] })];
    const plain = await answered({ message: "спасибо", plan: { kind: "smalltalk", confidence: 1, reason: "" } });
    expect([plain.text, plain.calls]).toEqual(["Пожалуйста!", ["answer"]]);
    records = [record(["Пожалуйста! Дарим 30 %."], { kind: "remark", sources: [] })];
    expect((await answered({ message: "спасибо" })).text).not.toContain("30");
  });

  test("that promises what no source promises needs a verifier's word", async () => {
    records = [record(["Подарим вам чехол."])];
    verdicts = ["не могу проверить"];
    expect((await answered({ drafted: true })).plan).toMatchObject({ held: true });
    verdicts = [GOOD];
    expect((await answered({ drafted: true })).plan.held).toBeUndefined();
  });

  test("is asked for in lesser formats where the server refuses a schema", async () => {
    records = [record(["Завтра к обеду."])];
    const refused = { kind: "error", status: 400 } as const;
    server.script(refused, refused, refused);
    const generator = llmGenerator({ baseUrl: server.baseUrl, model: "capable" });
    const ask = async () => {
      let text = "";
      for await (const delta of generator.generate({ ...request }, new AbortController().signal)) text += delta;
      return text;
    };
    expect(await ask()).toBe("Завтра к обеду.");
    const formats = server.requests.map(({ body }) => (body.response_format as { type: string } | undefined)?.type);
    // A refusal that names nothing is first put down to what is no part of every server's protocol.
    expect(formats.slice(0, 4)).toEqual(["json_schema", "json_schema", "json_object", undefined]);
    await ask();
    expect(server.requests.at(-1)!.body.response_format).toBeUndefined();
  });

  test("is written with a low temperature and without thinking, and without what the server has refused by name", async () => {
    records = [record(["Завтра к обеду."])];
    const refusal = (named: string) => {
      const body = JSON.stringify({ error: { message: `Unsupported value: '${named}' does not support this` } });
      return { kind: "error", status: 400, body } as const;
    };
    server.script({ kind: "ok" }, { kind: "ok" }, refusal("reasoning_effort"), refusal("temperature"));
    const generator = llmGenerator({ baseUrl: server.baseUrl, model: "capable" });
    const ask = async () => {
      for await (const _ of generator.generate({ ...request }, new AbortController().signal));
      const bodies = server.requests.splice(0).map(({ body }) => body);
      return bodies.map(({ temperature, reasoning_effort, chat_template_kwargs, response_format }) => [
        temperature,
        reasoning_effort,
        chat_template_kwargs,
        (response_format as { type: string }).type,
      ]);
    };
    const off = { enable_thinking: false };
    expect(await ask()).toEqual([
      [0.3, "none", off, "json_schema"],
      [0, "none", off, "json_schema"],
    ]);
    await ask();
    expect(await ask()).toEqual([
      [undefined, undefined, off, "json_schema"],
      [undefined, undefined, off, "json_schema"],
    ]);
  });

  test("of a twin for friends is repaired without «не знаю», and not for leaving to its owner what he alone knows", async () => {
    const friends = { twin: { ...request.twin, purpose: "friends" as const } };
    verdicts = [{ unsupported: [], fault: "", covers: "none", score: 7 }];
    records = [record(["Ой, отвечу чуть позже))"], { kind: "act", sources: [], action: "Где он?" })];
    expect((await answered(friends)).calls).toEqual(["answer", "verdict"]);
    server.requests.length = 0;
    verdicts = [{ unsupported: [1], fault: "этого он не говорил", covers: "all", score: 2 }, GOOD];
    records = [record(["Я дома."], { sources: [] }), record(["Отвечу позже."], { kind: "act", sources: [] })];
    const { calls } = await answered(friends);
    expect(calls).toEqual(["answer", "verdict", "answer", "verdict"]);
    const repaired = said(2);
    expect(repaired).toContain("оставь ему с kind «act»");
    expect(repaired).not.toContain("unknown");
  });

  test("to a question near a confirmed fact is judged by what was verified, not by the likeness of the questions", async () => {
    const corrected = {
      kind: "fact",
      text: "Курьер приедет завтра к обеду.",
      question: null,
      similarity: 0.98,
    } as const;
    const asked = {
      corrected: { ...corrected, secrecy: "public" as const },
      plan: { ...request.plan, confidence: 0.98 },
    };
    records = [record(["Курьер приедет завтра к обеду."], { sources: [CORRECTION] })];
    const good = await answered(asked);
    expect(good.citations.basis).toBe("corrected");
    expect(good.plan.confidence).toBeGreaterThan(good.plan.sentFrom!);
    verdicts = [{ unsupported: [], fault: "это о другом заказе", covers: "none", score: 3 }];
    const doubted = await answered(asked);
    expect(doubted.plan.confidence).toBeLessThan(doubted.plan.sentFrom!);
    records = [record([], { kind: "unknown" })];
    const unknown = await answered(asked);
    expect([unknown.plan.kind, unknown.citations.basis]).toEqual(["unknown", "unknown"]);
  });

  test("is called the owner's correction only where its record names that", async () => {
    const corrected: CorrectedAnswer = {
      ...{ kind: "fact" as const, text: "Курьер приедет завтра к обеду.", question: "Когда?", similarity: 0.98 },
      ...{ secrecy: "public" as const, source: "Подтверждённые факты" },
    };
    const ofSources = async (...sources: number[]) => {
      records = [record(["Возврат в течение 14 дней."], { sources })];
      const { citations } = await answered({ corrected, plan: { ...request.plan, confidence: 0.98 } });
      return [citations.basis, ...citations.sources.map(({ name }) => name)];
    };
    expect(await ofSources(CORRECTION)).toEqual(["corrected", "Подтверждённые факты"]);
    expect(await ofSources(2, CORRECTION)).toEqual(["corrected", "Подтверждённые факты", "Возврат.docx"]);
    expect(await ofSources(2)).toEqual(["knowledge", "Возврат.docx"]);
    expect(await ofSources()).toEqual(["knowledge"]);
    expect(await ofSources(CORRECTION + 1)).toEqual(["knowledge"]);
  });

  test("the owner's decisions on such answers move the probability", async () => {
    records = [record(["Завтра к обеду."])];
    const none = { decided: 0, corrected: 0 };
    const before = (await answered({ trackRecords: { sure: none, unsure: none } })).plan.confidence;
    const after = await answered({ trackRecords: { sure: { decided: 20, corrected: 10 }, unsure: none } });
    expect(after.plan.confidence).toBeLessThan(before);
    expect(after.plan).toMatchObject({ track: { decided: 20, corrected: 10 } });
    expect(after.plan.confidence).toBeLessThan(after.plan.sentFrom!);
  });
});

test("a server that silently reads less than it was sent is asked again with less", async () => {
  const cutting = await startOpenAiServer({
    text: JSON.stringify(record(["Завтра к обеду."])),
    usage: { prompt_tokens: 1200, completion_tokens: 10 },
  });
  const chunks = Array.from({ length: 12 }, (_, at) => ({
    ...QUESTION_ABOUT_DELIVERY.chunks[0]!,
    id: `${at}`,
    text: `Пункт ${at}. ${at === 0 ? QUESTION_ABOUT_DELIVERY.chunks[0]!.text : "слово ".repeat(300)}`,
  }));
  const generator = llmGenerator({ baseUrl: cutting.baseUrl, model: "capable" });
  let text = "";
  for await (const delta of generator.generate({ ...request, chunks }, new AbortController().signal)) text += delta;
  expect(text).toBe("Завтра к обеду.");
  const sizes = cutting.requests.map(({ body }) => JSON.stringify(body.messages).length);
  expect(sizes[1]).toBeLessThan(sizes[0]!);
  await cutting.close();
});

test.each([
  ["small", 4096, {}, 2],
  ["large and free", 65_536, { promptTokens: Number.POSITIVE_INFINITY }, 40],
  ["large and of an unknown price", 65_536, {}, 20],
])("a prompt follows the context that the server tells: %s", async (_, context_length, settings, shown) => {
  const telling = await startOpenAiServer({ text: JSON.stringify(record(["Завтра к обеду."])) });
  const ps = { models: [{ model: "capable", context_length }] };
  const withContext: typeof fetch = (input, init) =>
    String(input).endsWith("/api/ps") ? Promise.resolve(Response.json(ps)) : fetch(input, init);
  const chunks = Array.from({ length: 40 }, (_, at) => ({
    ...QUESTION_ABOUT_DELIVERY.chunks[0]!,
    ...{ id: `${at}`, heading: `Пункт ${at}`, text: "Завтра к обеду. ".repeat(50) },
  }));
  const generator = llmGenerator({ baseUrl: telling.baseUrl, model: "capable", fetch: withContext, ...settings });
  for await (const _ of generator.generate({ ...request, chunks }, new AbortController().signal));
  const sent = JSON.stringify(telling.requests[0]!.body.messages);
  const count = sent.match(/\[\d+\] Пункт/g)!.length;
  expect(count).toBeGreaterThanOrEqual(shown);
  expect(count).toBeLessThan(shown * 2 + 2);
  await telling.close();
});
