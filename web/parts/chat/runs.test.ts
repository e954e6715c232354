import { expect, test } from "vitest";
import type { ChatTurn } from "./chat.ts";
import { placesOf } from "./runs.ts";

const turn = (id: number, role: "user" | "assistant", timestamp: string, author?: "owner"): ChatTurn => ({
  id,
  role,
  content: `${id}`,
  timestamp,
  ...(author ? { author } : {}),
});

test("consecutive messages of one person stand together, until another person speaks, ten minutes pass or a day begins", () => {
  const places = placesOf([
    turn(1, "user", "2025-11-20T10:00:00Z"),
    turn(2, "user", "2025-11-20T10:05:00Z"),
    turn(3, "user", "2025-11-20T10:16:00Z"),
    turn(4, "assistant", "2025-11-20T10:17:00Z"),
    turn(5, "assistant", "2025-11-20T10:18:00Z", "owner"),
    turn(6, "assistant", "2025-11-22T10:18:00Z", "owner"),
  ]);
  expect(places.map(({ starts }) => starts)).toEqual([true, false, true, true, true, true]);
  expect(places.map(({ ends }) => ends)).toEqual([false, true, true, true, true, true]);
  expect(places.map(({ day }) => day !== null)).toEqual([true, false, false, false, false, true]);
});

test("a message that has no time yet belongs to the talk's end, and names no day", () => {
  expect(placesOf([turn(1, "user", "")])).toEqual([{ starts: true, ends: true, day: null }]);
});
