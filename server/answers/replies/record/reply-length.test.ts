import { expect, test } from "vitest";
import { measureStyle } from "#server/knowledge/style/style-profile.ts";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import { replyLength } from "./reply-length.ts";

const START = Date.parse("2026-03-03T09:00:00Z");
const HOUR_MS = 3_600_000;
/** An owner whose replies are of these lengths in characters, each to one message. */
const ownerOf = (lengths: readonly number[]) =>
  measureStyle(
    lengths.flatMap((length, at) => {
      const said = { sentAt: new Date(START + at * HOUR_MS), chatId: "друг" };
      return [
        { ...said, text: "как там?", fromOwner: false },
        { ...said, text: "а".repeat(length), fromOwner: true },
      ];
    }),
  );
const friend = {
  ...QUESTION_ABOUT_DELIVERY,
  twin: { ...QUESTION_ABOUT_DELIVERY.twin, purpose: "friends" as const },
  profile: ownerOf([10, 15, 20, 30, 40, 60, 80, 120, 30, 20, 40, 60]),
};
const lengthsOf = (request: typeof friend) =>
  Array.from({ length: 400 }, (_, seed) =>
    Number(/около (\d+) знаков/u.exec(replyLength({ ...request, seed: `${seed}` }))![1]),
  );

test("over many messages the named lengths spread as the owner's own do, and none is beyond all of them", () => {
  const drawn = lengthsOf(friend).toSorted((a, b) => a - b);
  const at = (share: number) => drawn[Math.floor(share * drawn.length)]!;
  const { p25, median, p75 } = friend.profile.turn.characters;
  expect(at(0.25)).toBeGreaterThan(p25 * 0.7);
  expect(at(0.25)).toBeLessThan(p25 * 1.4);
  expect(at(0.5)).toBeGreaterThan(median * 0.8);
  expect(at(0.5)).toBeLessThan(median * 1.25);
  expect(at(0.75)).toBeGreaterThan(p75 * 0.7);
  expect(at(0.75)).toBeLessThan(p75 * 1.4);
  expect(drawn.at(-1)).toBeLessThan(p75 * 4);
});

test("the same message of the same conversation has the same length", () => {
  expect(replyLength({ ...friend, seed: "7" })).toBe(replyLength({ ...friend, seed: "7" }));
});

test("a business answers as long as the question needs, and unknown lengths name none", () => {
  expect(replyLength({ ...friend, twin: { ...friend.twin, purpose: "business" } })).toBe("");
  expect(replyLength({ ...friend, profile: null })).toBe("");
  expect(replyLength({ ...friend, profile: ownerOf([20, 20, 20, 20]) })).toBe("");
});
