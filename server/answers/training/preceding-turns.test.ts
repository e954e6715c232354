import { expect, test } from "vitest";
import type { HistoryMessage } from "#server/answers/fidelity/split-history.ts";
import { createTurnReader } from "./preceding-turns.ts";

const MINUTE = 60_000;
let id = 0;
const said = (chatId: number, minute: number, author: number | null, text: string): HistoryMessage => ({
  id: ++id,
  chatId,
  author,
  at: minute * MINUTE,
  text,
});

const other = said(1, 0, 5, "в другом чате");
const old = said(2, 0, 7, "вчерашнее");
const talk = [
  said(2, 1000, 7, "привет"),
  said(2, 1001, 7, "ты тут?"),
  said(2, 1002, null, "тут"),
  said(2, 1003, 7, "во сколько завтра?"),
  said(2, 1004, null, "в семь"),
  said(2, 1004, null, "или в восемь"),
];
const read = createTurnReader([other, old, ...talk]);

test("the turns before what the owner answered are returned in order, bursts joined, from this session alone", () => {
  const before = [
    { role: "user", content: "привет\nты тут?" },
    { role: "assistant", content: "тут" },
  ];
  // Whichever message of the reply is named.
  for (const reply of talk.slice(4)) expect(read(reply.id)).toEqual(before);
});

test("the first answer of a session has no history, nor has a message that is not there", () => {
  expect(read(talk[2]!.id)).toEqual([]);
  expect(read(999)).toEqual([]);
});
