import { expect, test } from "vitest";
import { slashAt } from "./slash.ts";

const at = (text: string) => slashAt(text.replace("|", ""), text.indexOf("|"));

test("a slash at the start of the caret's line begins a search for what follows it", () => {
  expect(at("/|")).toEqual({ from: 0, to: 1, query: "" });
  expect(at("/дост|авка")).toEqual({ from: 0, to: 5, query: "дост" });
  expect(at("Здравствуйте!\n/цены на|\nДо встречи")).toMatchObject({ from: 14, query: "цены на" });
});

test("a slash elsewhere is a slash", () => {
  for (const text of ["|/", "и/или|", " /да|", "/path/to|", `/${"я".repeat(41)}|`, "/\nда|", "|"]) {
    expect(at(text), text).toBeNull();
  }
});
