import { expect, test } from "vitest";
import { partTalks } from "./part-talks.ts";
import { trainingLines } from "./training-lines.ts";

const HOUR_MS = 3600_000;
/** Forty days with a friend, four exchanges each, none like another; and a group in which the owner is silent. */
const talks = Array.from({ length: 160 }, (_, at) => {
  const begun = Math.floor(at / 4) * 24 * HOUR_MS + (at % 4) * 600_000;
  return [
    { author: "friend", text: `asked ${at}.`, at: begun },
    { author: null, text: `said ${at}.`, at: begun + 60_000 },
  ];
}).flat();
const group = talks.map(({ at, text }) => ({ author: "somebody", text: `group ${text}`, at }));
const parted = partTalks({
  name: "Owner",
  talks: [
    { name: "friend", kind: "private", lines: talks },
    { name: "group", kind: "group", lines: group },
  ],
});
const lines = trainingLines(parted, "en");
const repliesIn = (text: string): string[] => text.match(/said \d+\./g) ?? [];

test("what the judge asks or knows of the owner stands in no line that a voice is trained on", () => {
  const trained = new Set(repliesIn(lines.train + lines.test));
  expect(trained.size).toBeGreaterThan(50);
  for (const unknown of [...parted.held.map(({ reply }) => reply), ...parted.judge.own])
    expect(trained.has(unknown), unknown).toBe(false);
  expect(new Set([...trained, ...parted.judge.own, ...parted.held.map(({ reply }) => reply)]).size).toBe(160);
});

test("no session stands in two of the files, and the newest of the twin's half are the checking part", () => {
  const days = (text: string) => repliesIn(text).map((reply) => Math.floor(Number(reply.slice(5, -1)) / 4));
  const [train, checked, held] = [days(lines.train), days(lines.test), days(lines.held)];
  expect(Math.min(...checked)).toBeGreaterThan(Math.max(...train));
  expect(Math.min(...held)).toBeGreaterThan(Math.max(...checked));
  expect(checked.length).toBeGreaterThanOrEqual(0.1 * (train.length + checked.length));
});

test("a line is a talk that ends with the owner's reply", () => {
  for (const line of lines.train.trim().split("\n")) {
    const { messages } = JSON.parse(line) as { messages: { role: string; content: string }[] };
    expect(messages[0]!.role).toBe("system");
    expect(messages.at(-1)).toEqual({ role: "assistant", content: expect.stringMatching(/^said/) });
  }
});
