/**
 * Strangers choose the texts that our expressions are run over, so each expression must be linear. All of the program's expressions are
 * looked at, literals and those that are built, so that the rule needs no memory.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Expression, expressionsIn, programFiles } from "./expressions/find-expressions.ts";
import { slowness } from "./expressions/linear.ts";

const found = programFiles().map((file) => ({ file, ...expressionsIn(file) }));

function faultsOf(expressions: readonly Expression[]): string[] {
  const places = new Map<string, { expression: Expression; places: Set<string> }>();
  for (const expression of expressions) {
    const key = `${expression.flags}/${expression.source}`;
    const known = places.get(key) ?? { expression, places: new Set<string>() };
    places.set(key, known);
    known.places.add(expression.place);
  }
  return [...places.values()].flatMap(({ expression, places }) => {
    const why = slowness(expression);
    return why === null
      ? []
      : [`${[...places].join(", ")}: /${expression.source.slice(0, 120)}/${expression.flags}: ${why}`];
  });
}

test("every regular expression literal runs in linear time", () => {
  const literals = found.flatMap(({ literals }) => literals);
  expect(literals.length).toBeGreaterThan(300);
  expect(faultsOf(literals)).toEqual([]);
});

test("every regular expression that is built at run time runs in linear time", async () => {
  const constructions = found.flatMap(({ constructions }) => constructions);
  const list = join(import.meta.dirname, "expressions/list-built.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [list], { maxBuffer: 2 ** 26 });
  const built: Expression[] = JSON.parse(stdout);
  const seen = new Set(built.map(({ place }) => place));
  expect(constructions.map(({ place }) => place).filter((place) => !seen.has(place))).toEqual([]);
  expect(faultsOf(built)).toEqual([]);
});
