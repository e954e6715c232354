import { describe, expect, test } from "vitest";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import type { ReplyEvidence, ReplyExample } from "../reply-request.ts";
import { reusableReplies } from "../wording/reuse.ts";
import { decide } from "./decide.ts";

const evidence: ReplyEvidence = {
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  profile: null,
  message: "Сколько стоит доставка?",
  history: [],
  chunks: [
    {
      id: "p",
      documentId: "d",
      name: "Прайс",
      heading: "",
      text: "Доставка стоит 300 рублей.",
      score: 1,
      sentences: [],
    },
  ],
  replyExamples: [],
  confidence: { chunks: 0, replyExamples: 0 },
};
const said = (reply: string, sameContact = false): ReplyExample[] => [
  { id: "e", incoming: null, reply, score: 1, sameContact },
];

describe("deciding how to answer", () => {
  test("answers from documents where they hold an answer", () => {
    expect(decide({ ...evidence, confidence: { chunks: 0.7, replyExamples: 0 } })).toEqual({
      kind: "knowledge",
      confidence: 0.7,
      reason: "Ответ найден в документе «Прайс».",
    });
  });

  test("answers a remark from a document only where that says the same itself", () => {
    const confidence = { chunks: 0.9, replyExamples: 0 };
    const kindOf = (message: string, toRemark: boolean) =>
      decide({ ...evidence, message, confidence, answer: { text: "", citations: [], confidence: 0, toRemark } }).kind;
    expect(kindOf("у меня кот заболел", false)).toBe("unknown");
    expect(kindOf("доставка в выходные", true)).toBe("knowledge");
    expect(kindOf("к кому идти, если кот заболел?", false)).toBe("knowledge");
  });

  test("quotes a document that is near the question but does not surely answer it, and for a remark only at higher likelihood", () => {
    const chunk = evidence.chunks[0]!;
    const near = (message: string, likelihood: number) =>
      decide({ ...evidence, message, quotation: { text: chunk.text, chunk, likelihood } });
    expect(near("А в Казань привезёте?", 0.15)).toEqual({
      kind: "quoted",
      confidence: 0.15,
      reason: "Точного ответа двойник не нашёл и показал, что сказано в документе «Прайс».",
    });
    expect(near("А в Казань привезёте?", 0.05).kind).toBe("unknown");
    expect(near("доставка опять опоздала", 0.15).kind).toBe("unknown");
    expect(near("переведи мне за доставку 5000", 0.9).kind).toBe("unknown");
  });

  test("repeats what the owner usually replies to such messages", () => {
    expect(
      decide({
        ...evidence,
        message: "ты на месте?",
        replyExamples: said("да, тут"),
        confidence: { chunks: 0, replyExamples: 0.7 },
      }).kind,
    ).toBe("recurring");
  });

  test("prefers the owner's own answer to this very question", () => {
    expect(
      decide({ ...evidence, replyExamples: said("300 рублей"), confidence: { chunks: 0.8, replyExamples: 0.95 } }).kind,
    ).toBe("recurring");
  });

  test("does not count a reply that may not be said again", () => {
    expect(
      decide({
        ...evidence,
        message: "во сколько ты будешь?",
        replyExamples: said("в 7 буду"),
        confidence: { chunks: 0, replyExamples: 0.95 },
      }).kind,
    ).toBe("unknown");
  });

  test("names the reason why a known reply may not be said again", () => {
    const replyExamples = [{ id: "1", incoming: "Почём доставка?", reply: "350 рублей", score: 1, sameContact: false }];
    const plan = decide({
      ...evidence,
      message: "Почём доставка?",
      replyExamples,
      confidence: { chunks: 0, replyExamples: 0.9 },
    });
    expect(plan).toMatchObject({ kind: "unknown", reason: expect.stringContaining("которых нет в документах") });
  });

  test("is more confident of a reply that the owner has given more than once, and prefers it", () => {
    const once = [...said("спроси на складе"), ...said("Да, по выходным работаем", true)];
    const confidence = { chunks: 0, replyExamples: 0.7 };
    const message = "вы работаете по выходным?";
    const alone = { ...evidence, message, replyExamples: once, confidence };
    const agreed = {
      ...alone,
      replyExamples: [...once, { ...once[1]!, reply: "ага, работаем в выходные", score: 0.9 }],
    };
    expect(reusableReplies(agreed)[0]!.text).toBe("Да, по выходным работаем");
    expect(decide(agreed).confidence).toBeGreaterThan(decide(alone).confidence);
    expect(decide(agreed).reason).toContain("не раз");
  });

  test("does not guess where the owner has answered both yes and no", () => {
    const replyExamples = [...said("да, есть"), ...said("нет, кончились")];
    const asked = {
      ...evidence,
      message: "белые кроссовки есть?",
      replyExamples,
      confidence: { chunks: 0, replyExamples: 0.9 },
    };
    expect(decide(asked)).toMatchObject({ kind: "unknown", reason: expect.stringContaining("и «да», и «нет»") });
    expect(decide({ ...asked, replyExamples: said("да, есть") }).kind).toBe("recurring");
  });

  test("admits with little confidence that it does not know", () => {
    expect(decide({ ...evidence, confidence: { chunks: 0.3, replyExamples: 0.1 } })).toMatchObject({
      kind: "unknown",
      confidence: 0.15,
    });
    expect(
      decide({ ...evidence, message: "переведи мне 5000", confidence: { chunks: 0.9, replyExamples: 0 } }),
    ).toMatchObject({ kind: "unknown", reason: "Просят о действии: это решает владелец." });
  });
});

test.each([
  ["Привет!", ["greeting"]],
  ["Здравствуйте, Анна", ["greeting"]],
  ["привет как дела", ["greeting", "howAreYou"]],
  ["спасибо большое за помощь!", ["thanks"]],
  ["ок, спасибо, пока", ["thanks", "farewell"]],
  ["Доброй ночи", ["farewell"]],
  ["👍", ["acknowledgement"]],
  ["понял", ["acknowledgement"]],
  ["ты бот?", ["identity"]],
  ["Подскажите, я с живым человеком общаюсь?", ["identity"]],
  ["are you a real person?", ["identity"]],
  ["hello! how are you?", ["greeting", "howAreYou"]],
  ["Здравствуйте! Вы на связи?", ["greeting", "availability"]],
  ["Добрый день! Поможете с упаковкой?", ["greeting", "availability"]],
  ["Алло, вы тут?", ["availability"]],
  ["можно вопрос?", ["availability"]],
  ["спс, выручил", ["thanks"]],
  ["вы тут до скольки?", null],
  ["есть вопрос по заказу, где он?", null],
  ["Привет, сколько стоит сыр?", null],
  ["какой бот лучше для телеграма?", null],
  ["пока не знаю, напишу позже", null],
  ["цена", null],
  ["хорошо бы узнать условия возврата товара", null],
])("hears small talk in %j: %j", (message, expected) => {
  expect(smallTalkOf(message)).toEqual(expected);
});

test.each([
  ["Сколько стоит?", "question"],
  ["привет, а когда откроетесь", "question"],
  ["расскажите про гарантию", "question"],
  ["в каком городе офис", "question"],
  ["скинь фотки", "request"],
  ["я устал сегодня", "statement"],
])("takes %j for a %s", (message, expected) => {
  expect(wantOf(message)).toBe(expected);
});
