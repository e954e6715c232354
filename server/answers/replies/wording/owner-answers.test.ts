import { describe, expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { measureStyle } from "#server/knowledge/style/style-profile.ts";
import { embeddedGenerator } from "../embedded-generator.ts";
import { nearestChunks } from "../nearest-chunks.ts";
import { decide, isLeftUnanswered } from "../planning/decide.ts";
import type { ReplyEvidence, ReplyRequest } from "../reply-request.ts";
import { embeddedReply } from "./embedded-reply.ts";

const profileOf = (texts: string[]) =>
  measureStyle(texts.map((text, i) => ({ text, sentAt: null, fromOwner: true, chatId: i })));
const PLAIN = [
  "Здравствуйте.",
  "Отправляю вам договор.",
  "До свидания.",
  "Сообщите вашу дату.",
  "Счёт у вас на почте.",
];

function asked(message: string, over: Partial<ReplyEvidence> = {}, ownerAnswers?: "will" | "asked"): ReplyRequest {
  const evidence: ReplyEvidence = {
    twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
    profile: null,
    message,
    history: [],
    chunks: [],
    replyExamples: [],
    confidence: { chunks: 0, replyExamples: 0 },
    seed: "1",
    ...over,
  };
  return { ...evidence, plan: decide(evidence), ...(ownerAnswers && { ownerAnswers }) };
}
const said = (message: string, over: Partial<ReplyEvidence> = {}, ownerAnswers: "will" | "asked" = "will") =>
  embeddedReply(asked(message, over, ownerAnswers));

describe("a question that nothing answers", () => {
  const question = "Во сколько лет можно водить снегоход?";

  test("is put off in the owner's own words where he has such, to the letter and to every contact", () => {
    const profile = profileOf([...PLAIN, "Уточню и напишу вам!", "Уточню и напишу вам!"]);
    expect(said(question, { profile })).toBe("Уточню и напишу вам!");
  });

  test("is put off in plain words where he has none, after his own «не знаю» where he has one", () => {
    expect(said(question)).toBe("Точно не знаю: уточню у владельца и напишу.");
    const profile = profileOf([...PLAIN, "Не могу сказать.", "Не могу сказать."]);
    expect(said(question, { profile })).toMatch(/Не могу сказать\.?\s+Уточню у владельца и напишу/);
  });

  test("that already waits for him is not put off in the same words again", () => {
    expect(said(question, {}, "asked")).toBe("Ещё уточняю: напишу, как только узнаю.");
  });

  test("is put off without a promise where the owner will not answer", () => {
    expect(embeddedReply(asked(question))).not.toMatch(/уточню|напишу|передам/i);
  });
});

test("a message is left to the owner exactly where the reply says so", () => {
  const left = (message: string, over: Partial<ReplyEvidence> = {}) => {
    const request = asked(message, over, "will");
    return isLeftUnanswered(embeddedGenerator(), request, embeddedReply(request));
  };
  const promised = /уточню у владельца|передам|это решает владелец/i;
  for (const message of [
    "Во сколько лет можно водить снегоход?",
    "Перезвоните мне",
    "Курьер нахамил",
    "У меня умерла собака",
  ]) {
    expect(left(message), message).toBe(true);
    expect(said(message), message).toMatch(promised);
  }
  for (const message of ["Здравствуйте!", "Спасибо", "Вы бот?"]) {
    expect(left(message), message).toBe(false);
    expect(said(message), message).not.toMatch(promised);
  }
  // This owner reacts to remarks himself.
  const profile = profileOf([...PLAIN, "Принято.", "Принято.", "Понял вас."]);
  expect(left("Мы вчера ездили в лес", { profile })).toBe(false);
  expect(said("Мы вчера ездили в лес", { profile })).not.toMatch(promised);
});

test("the owner is shown first what was quoted, then what else was found, each once", () => {
  const chunk = (id: string): ReplyChunk => ({
    id,
    documentId: id,
    name: id,
    heading: "",
    text: id,
    score: 1,
    sentences: [],
  });
  const [a, b, c] = [chunk("a"), chunk("b"), chunk("c")] as const;
  const request = asked("Где?", { chunks: [a, b, c], quotation: { chunk: b, text: "b", likelihood: 0.05 } });
  expect(nearestChunks(request)).toEqual([b, a]);
  expect(nearestChunks(asked("Где?"))).toEqual([]);
});
