import { expect, test } from "vitest";
import { skipGrammarValue, skipString } from "./json-grammar.ts";

/** How many characters are skipped; the value is followed by a comma, as in a list. */
const skipped = (json: string) => skipGrammarValue(Buffer.from(`${json},`), 0);

test.each([
  ...["0", "-0", "12", "-1.5", "1e5", "1E+5", "2.5e-10", "true", "false", "null", '""', '"a\\"b\\\\"', '"\\u00e4"'],
  ...["[]", "[ ]", "{}", "[1, 2 ,[3]]", '{"a" : 1 , "b":{"c":[true]}}'],
])("%s is one value", (json) => {
  expect(skipped(json)).toBe(json.length);
});

test.each([
  ...["-", "1.", "1e", "1e+", "tru", "nul1", "undefined", '"\\x"', '"\\u12g4"', '"\\u12"', '"a\nb"', '"open'],
  ...["[1 2]", "[1,]", "{1:2}", '{"a" 1}', '{"a":}', '{"a":1 "b":2}', "[", '{"a":1'],
])("%s is none", (json) => {
  expect(skipped(json)).toBe(-1);
});

test("a number at the end of what has arrived may go on, and brackets deeper than any message are refused", () => {
  expect(skipGrammarValue(Buffer.from("12"), 0)).toBe(-1);
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  expect(skipped(nested(60))).toBe(120);
  expect(skipped(nested(70))).toBe(-1);
  expect(skipString(Buffer.from('x"'), 0)).toBe(-1);
  expect(skipString(Buffer.from('"\\'), 0)).toBe(-1);
});
