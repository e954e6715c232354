import { expect, test } from "vitest";
import { isEmptyList, shownOrSample } from "./sample-data.ts";

const sample = ["пример"];

test("a response is shown unchanged, even an empty one", () => {
  expect(shownOrSample({ data: ["наше"], error: null }, sample)).toEqual({ data: ["наше"], isSample: false });
  expect(shownOrSample({ data: [], error: null }, sample)).toEqual({ data: [], isSample: false });
});

test("while the response is pending nothing is shown", () => {
  expect(shownOrSample({ data: undefined, error: null }, sample)).toEqual({ data: undefined, isSample: false });
});

test("the sample replaces a failed call and null", () => {
  expect(shownOrSample({ data: undefined, error: new Error("500") }, sample)).toEqual({ data: sample, isSample: true });
  expect(shownOrSample({ data: null, error: null }, sample)).toEqual({ data: sample, isSample: true });
});

test("a screen without an empty state shows the sample for an empty list", () => {
  expect(shownOrSample({ data: [] as string[], error: null }, sample, isEmptyList)).toEqual({
    data: sample,
    isSample: true,
  });
});

test("loaded data stays when a later request fails", () => {
  expect(shownOrSample({ data: ["наше"], error: new Error("500") }, sample)).toEqual({
    data: ["наше"],
    isSample: false,
  });
});
