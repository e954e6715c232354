import { expect, test } from "vitest";
import { degreesOf, figuresText } from "./tool-words.ts";

test("an action that is younger than a day is not said to be unneeded", () => {
  const now = Date.parse("2026-12-01T10:00:00.000Z");
  expect(figuresText(undefined, "2026-12-01T09:00:00.000Z", now)).toBeNull();
  expect(figuresText(undefined, "2026-11-20T09:00:00.000Z", now)).toContain("не\u00a0понадобилось");
});

test("a question is never answered without its owner, so that way is not offered", () => {
  expect(degreesOf("question").map(([degree]) => degree)).toEqual(["asks", "never"]);
  expect(degreesOf("table").map(([degree]) => degree)).toEqual(["itself", "asks", "never"]);
});
