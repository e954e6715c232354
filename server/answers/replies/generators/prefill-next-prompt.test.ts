/** A model that has not passed its exam reads only what it may use of documents before its first word, and no part of the conversation twice. */
import { expect, test } from "vitest";
import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Generated, Generation, ModelHost } from "#server/models/host/model-host.ts";
import type { ChatTurn } from "#server/models/host/protocol.ts";
import { createLog } from "#server/platform/log.ts";
import { localGenerator } from "../local-generator.ts";
import type { ReplyExample, ReplyRequest } from "../reply-request.ts";

const PRICE = "Доставка стоит 350 рублей.";
const OTHERS = ["Самовывоз бесплатный.", "Работаем без выходных.", "Подарочная упаковка есть."];
const chunk = (text: string): ReplyChunk => ({
  ...{ id: text, documentId: "d", name: "Доставка", heading: "", text, score: 1 },
  sentences: [{ text, score: 1 }],
});
const price = chunk(PRICE);
const example = (reply: string, incoming: string | null): ReplyExample => ({
  ...{ id: reply, incoming, reply, score: 1, sameContact: true, repliedAt: new Date(0) },
});
const asked = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка?" },
  history: [
    { role: "user", content: "Здравствуйте, вы работаете сегодня?" },
    { role: "assistant", content: "Здравствуйте! Да, до восьми." },
  ],
  replyExamples: [example("а как же", "доставка есть?")],
  exchanges: [example("ага, ща", "ты дома?")],
  chunks: [price, ...OTHERS.map(chunk)],
  answer: { text: PRICE, citations: [{ text: PRICE, chunk: price }], confidence: 0.9, toRemark: true },
  confidence: { chunks: 0.9, replyExamples: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "Ответ найден в документе «Доставка»." },
  payer: { organizationId: "o", userId: "u", twinId: "t" },
  ...over,
});

/** A model with this exam that answers the price; records its requests and prefilled prompts. */
function model(ability: "words" | "answers") {
  const generated: Generation[] = [];
  const ahead: (readonly ChatTurn[])[] = [];
  const host = {
    facts: async () => ({ generator: { contextTokens: 8192, parameters: 1e9 } }),
    async *generate(generation: Generation): AsyncGenerator<string, Generated> {
      generated.push(generation);
      yield PRICE;
      return { stopped: "end", input: 1, output: 1, reused: 0 };
    },
    prefill: async ({ turns }: { turns: readonly ChatTurn[] }) => {
      ahead.push(turns);
      return null;
    },
  } as unknown as ModelHost;
  const generator = localGenerator({
    host,
    log: createLog("silent"),
    totalMs: 60_000,
    ability: () => ability,
  });
  const answer = async (request: ReplyRequest): Promise<string> => {
    let text = "";
    for await (const delta of generator.generate(request, new AbortController().signal)) text += delta;
    return text;
  };
  return { generated, ahead, answer };
}

const textOf = (turns: readonly ChatTurn[]) => turns.map(({ content }) => content).join("\n");

test("a model that only words reads of the documents what the other reader has found; its draft, and an answering model's reply, are written from all", async () => {
  const wording = model("words");
  expect(await wording.answer(asked())).toBe(PRICE);
  const brief = textOf(wording.generated[0]!.turns);
  expect(brief).toContain(PRICE);
  for (const other of OTHERS) expect(brief).not.toContain(other);
  await wording.answer(asked({ drafted: true }));
  const answering = model("answers");
  await answering.answer(asked());
  for (const { turns } of [wording.generated.at(-1)!, answering.generated[0]!])
    for (const text of [PRICE, ...OTHERS]) expect(textOf(turns)).toContain(text);
});

test("the next message's prompt begins as was read ahead when the answer had left", async () => {
  const { generated, ahead, answer } = model("words");
  const first = asked();
  const said = await answer(first);
  expect(ahead).toHaveLength(1);
  const history = [
    ...first.history,
    { role: "user" as const, content: first.message },
    { role: "assistant" as const, content: said },
  ];
  // Another question finds other documents and other similar exchanges.
  const next = { message: "А самовывоз?", history, replyExamples: [example("конечно", "забрать можно?")] };
  await answer(asked({ ...next, chunks: [chunk(OTHERS[0]!)], answer: null }));
  expect(generated.at(-1)!.turns.slice(0, -1)).toEqual(ahead[0]);
  expect(textOf(ahead[0]!)).toContain("ага, ща");
  expect(textOf(ahead[0]!)).not.toContain("а как же");
});

test("a long talk that goes out of sight at its beginning is read on as the next message will find it", async () => {
  const { generated, ahead, answer } = model("words");
  const talk: HistoryTurn[] = Array.from({ length: MAX_HISTORY_TURNS }, (_, at) => ({
    role: at % 2 ? "assistant" : "user",
    content: `реплика ${at}`,
  }));
  const first = asked({ history: talk, exchanges: [] });
  const said = await answer(first);
  const seen = [
    ...talk,
    { role: "user" as const, content: first.message },
    { role: "assistant" as const, content: said },
  ];
  // The next message finds much longer chunks; shown whole, they would leave the conversation less room.
  const long = chunk("Самовывоз бесплатный. ".repeat(200));
  const next = { message: "А самовывоз?", history: seen.slice(-MAX_HISTORY_TURNS), exchanges: [], answer: null };
  await answer(asked({ ...next, chunks: [long], nearest: [{ text: OTHERS[0]!, chunk: long }] }));
  expect(generated.at(-1)!.turns.slice(0, -1)).toEqual(ahead[0]);
  expect(textOf(ahead[0]!)).not.toContain("реплика 0");
});

test("nothing is read ahead of a draft, of a measure, or where the next message changes what stands before the talk", async () => {
  const wording = model("words");
  await wording.answer(asked({ drafted: true }));
  await wording.answer(asked({ background: true }));
  expect(wording.ahead).toEqual([]);
  const answering = model("answers");
  await answering.answer(asked());
  expect(answering.ahead).toEqual([]);
  await answering.answer(asked({ replyExamples: [] }));
  expect(answering.ahead).toHaveLength(1);
});
