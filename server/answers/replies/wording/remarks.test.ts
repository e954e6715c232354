/** Remarks get a reaction, trouble is acknowledged and left to the owner, and the owner's mood is never invented. */
import { describe, expect, test } from "vitest";
import { measureStyle } from "#server/knowledge/style/style-profile.ts";
import { decide } from "../planning/decide.ts";
import type { ReplyEvidence, ReplyRequest } from "../reply-request.ts";
import { embeddedReply } from "./embedded-reply.ts";

/** @param asked the message that each of the owner's texts answers */
const profileOf = (texts: string[], asked = "ау") =>
  measureStyle(
    texts.flatMap((text, chatId) => [
      { text: asked, sentAt: null, fromOwner: false, chatId },
      { text, sentAt: null, fromOwner: true, chatId },
    ]),
  );

const quoted = {
  text: "Кабель длиной 5 метров, ремонт 900 рублей.",
  chunk: { id: "1", documentId: "d", name: "Прайс", heading: "", text: "Кабель.", score: 1, sentences: [] },
  likelihood: 0.3,
};

function request(message: string, over: Partial<ReplyEvidence> = {}): ReplyRequest {
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
  return { ...evidence, plan: decide(evidence) };
}
const said = (message: string, over: Partial<ReplyEvidence> = {}, ownerAnswers?: "will") =>
  embeddedReply({ ...request(message, over), ...(ownerAnswers && { ownerAnswers }) });

test.each([
  "как дела?",
  "Добрый день! Как ваше настроение?",
  "Привет) как там твоё здоровье",
  "Как твои дела, что нового?",
])("«%s» is thanked for and asked back: neither «не знаю» nor an invented state", (message) => {
  const reply = said(message);
  expect(reply).toMatch(/спасибо, что спрашива/i);
  expect(reply).not.toMatch(/не знаю|нормально|хорошо|отлично|лично/i);
});

test("an owner with words of his own for a remark is imitated with those", () => {
  const profile = profileOf(Array(6).fill("Потихоньку"), "как дела?");
  expect(said("как дела?", { profile })).toMatch(/потихоньку/i);
});

describe("a remark that tells more than small talk is met by its kind", () => {
  test.each([
    ["Спасибо за такую подробную смету, очень выручили", /пожалуйста/i],
    ["Весь двор любуется вашей лавочкой, спасибо!", /пожалуйста/i],
    ["Ладно, пойду чинить дальше, всего доброго", /до свидания/i],
    ["здравствуй, Петрович дорогой", /привет|здравствуй/i],
    ["Лавочка встала как родная 😍", /спасибо, что написали/i],
    ["жду", /понятно/i],
  ])("«%s»", (message, expected) => {
    const asked = request(message);
    expect(asked.plan.kind).toBe("smalltalk");
    // The confidence is too low for automatic sending when the owner reviews uncertain replies.
    expect(asked.plan.confidence).toBeLessThanOrEqual(0.85);
    expect(embeddedReply(asked)).toMatch(expected);
  });

  test.each([
    "Спасибо, тогда беру синюю",
    "Спасибо, приеду к вам",
    "спасибо, но лавочка не встала",
    "Спасибо, заберу в субботу",
    "Спасибо, скиньте счёт",
    "Лавочка сломалась 😭",
  ])("what an owner should see is left to him: «%s»", (message) => {
    expect(request(message).plan.kind).toBe("unknown");
    expect(said(message)).not.toMatch(/пожалуйста|спасибо, что/i);
  });
});

describe("trouble in the form of a question", () => {
  test.each([
    "вы серьёзно? лавочка развалилась под гостями, стыд на всю улицу!!!",
    "Это как понимать?! Третий день сижу без двери!!",
    "Мы с ребёнком в больнице из-за вашей лавочки. Вы довольны?",
  ])("is met first and left to the owner, with no document quoted at it: «%s»", (message) => {
    const reply = said(message, { quotation: quoted, nearest: [quoted] });
    expect(reply).toMatch(/^(?:понимаю|очень жаль)\..*лично/i);
    expect(reply).not.toMatch(/не знаю|900/i);
    expect(said(message, {}, "will")).toMatch(/^(?:понимаю|очень жаль)\. передам владельцу/i);
  });

  test("a question after joy or anger is still a question", () => {
    expect(said("Лавочка супер!!! А сколько стоит стол?")).toMatch(/не знаю/i);
    expect(said("Срочно!!! Где вас найти?")).toMatch(/не знаю/i);
  });

  test("a complaint that asks nothing gets no quotation", () => {
    const complaint = "Вы отдали мне дрель с перебитым кабелем, а уверяли, что новая.";
    expect(request(complaint, { quotation: quoted }).plan.kind).toBe("unknown");
    expect(request("хотел бы знать сколько стоит кабель", { quotation: quoted }).plan.kind).toBe("quoted");
  });
});

describe("the owner's smile", () => {
  const SMILING = profileOf(Array(12).fill("Готово))"));
  const answer = (text: string) =>
    said("что с дрелью?", {
      profile: SMILING,
      plan: undefined,
      chunks: [quoted.chunk],
      answer: {
        text,
        sentence: { text, chunk: quoted.chunk },
        citations: [{ text, chunk: quoted.chunk }],
        confidence: 0.9,
        toRemark: true,
      },
      confidence: { chunks: 0.9, replyExamples: 0 },
    } as Partial<ReplyEvidence>);

  test("follows instructions", () => {
    expect(answer("Дрель стоит 900 рублей.")).toMatch(/\)$/);
  });

  test.each([
    "Дрель без заземления запрещена.",
    "Детям дрель не даём.",
    "При запахе гари сразу выключите дрель из розетки.",
    "Вернуть дрель можно только с чеком.",
    "С дрелью обязательно надевать очки.",
  ])("never behind a refusal, a ban or a rule of safety: «%s»", (text) => {
    expect(answer(text)).not.toMatch(/[):]\s*$|\p{Extended_Pictographic}/u);
  });
});
