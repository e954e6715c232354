import { expect, test } from "vitest";
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import { turnsOf, whileComing } from "./transcript.ts";

let id = 0;
const message = (role: ChatMessage["role"], content: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: String(++id),
  role,
  content,
  timestamp: "2026-11-21T06:00:00.000Z",
  sources: [],
  confidence: role === "user" ? null : 0.8,
  durationMs: null,
  feedback: null,
  ...more,
});
const shown = (messages: ChatMessage[]) => turnsOf(messages).map(({ content, former }) => [content, former ?? []]);

test("a question that was asked several times appears once, with its earlier answers inside the last one", () => {
  expect(
    shown([
      message("user", "Сколько стоит?"),
      message("assistant", "350"),
      message("user", "Сколько стоит?", { again: true }),
      message("assistant", "Стоит 350"),
      message("user", "Сколько стоит?", { again: true }),
      message("assistant", "350 рублей"),
      message("user", "Спасибо"),
    ]),
  ).toEqual([
    ["Сколько стоит?", []],
    ["350 рублей", ["350", "Стоит 350"]],
    ["Спасибо", []],
  ]);
});

test("a question without an answer says whether one is made or was interrupted, and only the former is looked for again", () => {
  for (const [answer, looks] of [
    ["coming", 3000],
    ["interrupted", false],
  ] as const) {
    const messages = [message("user", "Ау"), message("assistant", "Да?"), message("user", "Вы тут?", { answer })];
    expect(turnsOf(messages).map(({ state }) => state)).toEqual([undefined, undefined, answer]);
    expect(whileComing({ state: { data: messages } })).toBe(looks);
  }
});

test("the same text written twice is two messages", () => {
  const talk = [message("user", "Ау"), message("assistant", "Да?"), message("user", "Ау"), message("assistant", "Да!")];
  expect(shown(talk).map(([content]) => content)).toEqual(["Ау", "Да?", "Ау", "Да!"]);
});

test("a repeated answer whose question is not loaded appears unchanged", () => {
  expect(shown([message("user", "Ау", { again: true }), message("assistant", "Да!")])).toHaveLength(2);
});

test("an answer has its citations and the reader's feedback, and a stopped answer only the text received", () => {
  const feedback = { rating: 5, comment: null, correction: null };
  const [full, cut] = turnsOf([
    message("assistant", "Да", { reason: "Из документа", basis: "knowledge", durationMs: 12, feedback }),
    message("assistant", "Не", { stopped: true }),
  ]);
  expect(full).toMatchObject({ durationMs: 12, feedback, reply: { confidence: 0.8, basis: "knowledge" } });
  expect(cut).toMatchObject({ state: "stopped" });
  expect(cut?.reply).toBeUndefined();
});

test("an answer of several messages is known as such after a reload, and an act that was asked for as well", () => {
  const more = { parted: true, action: "записать" };
  expect(turnsOf([message("assistant", "Да, есть.\n\nЗаберёте сегодня?", more)])[0]!.reply).toMatchObject(more);
});
