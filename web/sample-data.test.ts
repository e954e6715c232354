import { expect, test } from "vitest";
import { isEmptyList, shownOrSample } from "./sample-data.ts";

const sample = ["пример"];

test("an answer is shown as it is, an empty one too", () => {
  expect(shownOrSample({ data: ["наше"], error: null }, sample)).toEqual({ data: ["наше"], isSample: false });
  expect(shownOrSample({ data: [], error: null }, sample)).toEqual({ data: [], isSample: false });
});

test("while the answer is awaited nothing is shown", () => {
  expect(shownOrSample({ data: undefined, error: null }, sample)).toEqual({ data: undefined, isSample: false });
});

test("the sample stands in for a failed call and for null", () => {
  expect(shownOrSample({ data: undefined, error: new Error("500") }, sample)).toEqual({ data: sample, isSample: true });
  expect(shownOrSample({ data: null, error: null }, sample)).toEqual({ data: sample, isSample: true });
});

test("a screen without an empty state counts an empty list as nothing", () => {
  expect(shownOrSample({ data: [] as string[], error: null }, sample, isEmptyList)).toEqual({
    data: sample,
    isSample: true,
  });
});

test("what was read before stays when it cannot be read again", () => {
  expect(shownOrSample({ data: ["наше"], error: new Error("500") }, sample)).toEqual({
    data: ["наше"],
    isSample: false,
  });
});
