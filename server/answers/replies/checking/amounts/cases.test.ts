/**
 * One sentence of a source must contain an amount with its unit and subject; the spelling does not matter
 * (docs/decisions/026-answer-verification.md).
 */
import { describe, expect, test } from "vitest";
import type { ReplyRequest } from "../../reply-request.ts";
import { AnswerReader } from "../answer-reader.ts";
import { ReplySources } from "../sources.ts";
import { type Book, BOOKS as FIRST } from "./cases.ts";
import { MORE_BOOKS } from "./more-cases.ts";

const BOOKS = [...FIRST, ...MORE_BOOKS];

function read(
  { name, text }: Pick<Book, "name" | "text">,
  message: string,
  answer: string,
  more: Partial<ReplyRequest> = {},
) {
  const request: ReplyRequest = {
    twin: { name: "Двойник", description: "", personality: "", communicationStyle: "", expertise: [] },
    ...{ profile: null, message, history: [], replyExamples: [] },
    chunks: [{ id: name, documentId: "d", name, heading: "", text, score: 1, sentences: [] }],
    confidence: { chunks: 0, replyExamples: 0 },
    plan: { kind: "unknown", confidence: 0, reason: "" },
    ...more,
  };
  const reader = new AnswerReader(request, new ReplySources(request), []);
  // Streams the text in deltas that end anywhere, as a model does.
  let said = "";
  for (let at = 0; at < answer.length; at += 3) said += reader.push(answer.slice(at, at + 3));
  said = (said + reader.end(false)).trim();
  return { said, pieces: reader.faults.flatMap(({ pieces }) => pieces), weak: reader.weak };
}

const count = (kind: "rightful" | "wrong") => BOOKS.reduce((sum, book) => sum + book[kind].length, 0);
test("the tables are no small ones", () => {
  expect(count("rightful")).toBeGreaterThanOrEqual(60);
  expect(count("wrong")).toBeGreaterThanOrEqual(40);
});

describe.each(BOOKS)("$name", (book) => {
  test.each(book.rightful)("asked %j, this may be said: %s", (question, answer) => {
    expect(read(book, question, answer)).toMatchObject({ said: answer, pieces: [] });
  });

  test.each(book.wrong)("asked %j, this may not be said: %s", (question, answer) => {
    expect(read(book, question, answer).said).not.toBe(answer);
  });
});

describe("amounts are bound the same way in every source", () => {
  const nothing = { name: "Памятка", text: "Добро пожаловать." };
  const example = { id: "e", score: 1, sameContact: false };
  const SOURCES: Record<string, Partial<ReplyRequest>> = {
    "a correction": {
      corrected: {
        kind: "fact",
        question: "Сколько стоит гравировка?",
        text: "700 рублей.",
        similarity: 0.9,
        secrecy: "public",
      },
    },
    "an open reply": {
      replyExamples: [{ ...example, incoming: "Сколько стоит гравировка?", reply: "700 р", opened: true }],
    },
    "a past exchange": { exchanges: [{ ...example, incoming: "почём гравировка", reply: "гравировка 700" }] },
    "the conversation": {
      history: [
        { role: "user", content: "Сколько стоит гравировка?" },
        { role: "assistant", content: "700 рублей." },
      ],
    },
  };

  test.each(Object.entries(SOURCES))("%s", (_source, more) => {
    const asked = "Сколько гравировка?";
    for (const answer of ["Гравировка стоит 700 рублей.", "700 ₽.", "Семьсот рублей."])
      expect(read(nothing, asked, answer, more).said).toBe(answer);
    for (const answer of [
      "Гравировка стоит 700 долларов.",
      "Полировка стоит 700 рублей.",
      "Гравировка 700 рублей, вам вдвое дешевле.",
    ])
      expect(read(nothing, asked, answer, more).said).not.toBe(answer);
  });

  test("a date is held with its month and its year", () => {
    const open = { name: "Музей", text: "Музей открыли 7 января 1943 года, новый зал — 12.05.2010." };
    for (const answer of [
      "7 января 1943 года.",
      "В 1943 году.",
      "Новый зал открыли 12 мая.",
      "Новый зал — в 2010 году.",
      "Новый зал — 12 мая 2010 года.",
      "7 января.",
    ])
      expect(read(open, "Когда открыли музей?", answer).said).toBe(answer);
    for (const answer of [
      "7 января 1950 года.",
      "В 1950 году.",
      "Новый зал открыли 12 января.",
      "Новый зал — 12.05.2011.",
      "Новый зал — 12 мая 2011 года.",
      "7 мая.",
    ])
      expect(read(open, "Когда открыли музей?", answer).said).not.toBe(answer);
  });

  test("what the asker says sets no price, share or gift, and may be counted with", () => {
    const asked = "Нас 7 человек, сделаете бесплатно или вдвое дешевле?";
    for (const answer of ["Да, бесплатно.", "Да, вдвое дешевле."])
      expect(read(nothing, asked, answer).said).not.toBe(answer);
    expect(read(nothing, asked, "На 7 человек место есть.").said).toBe("На 7 человек место есть.");
  });
});
