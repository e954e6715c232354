import { expect, test } from "vitest";
import { trainGrammar } from "./grammar.ts";
import { findEchoes, RUNS, remember } from "./patchwork.ts";

const SAID = [
  "завтра утром поеду на дачу за яблоками",
  "вчера вечером смотрели кино про космос",
  "ключи лежат под ковриком у двери",
];
const share = ({ patched, runs }: { patched: number[]; runs: number[] }) =>
  patched.map((count, at) => count / runs[at]!);

test("a text is pieced together if it consists of halves of two remembered messages, not if one message or none explains it", () => {
  const { patchwork } = remember(SAID);
  expect(share(patchwork(SAID[0]!))).toEqual(RUNS.map(() => 0));
  expect(share(patchwork("Завтра утром поеду на дачу за грибами"))).toEqual(RUNS.map(() => 0));
  const glued = share(patchwork("завтра утром поеду на смотрели кино про космос"));
  for (const [at, length] of RUNS.entries()) expect(glued[at], `runs of ${length}`).toBeGreaterThan(0.15);
  expect(share(patchwork("никто такого раньше не говорил"))).toEqual(RUNS.map(() => 0));
});

test("a remembered message does not explain itself", () => {
  const { patchwork } = remember([...SAID, "завтра утром поеду под ковриком у двери"]);
  expect(patchwork("завтра утром поеду под ковриком у двери").patched[0]).toBe(0);
  expect(patchwork("завтра утром поеду под ковриком у двери", 3).patched[0]).toBeGreaterThan(0);
});

test("messages that share a piece echo each other; a message said twice does not", () => {
  const counts = (texts: string[]) => findEchoes(texts).map(({ echoed }) => echoed);
  expect(counts([SAID[0]!, SAID[0]!, SAID[1]!])).toEqual([0, 0, 0]);
  const [one, other] = counts(["поеду на дачу за яблоками сам", "а мы поеду на дачу за яблоками"]);
  expect(one).toBeGreaterThan(0);
  expect(other).toBe(one);
});

test("words are likelier after their true neighbours than shuffled, and a learnt message is judged as if it were new", () => {
  const common = new Set(SAID.flatMap((text) => text.split(" ")));
  const { gain } = trainGrammar([...SAID, ...SAID], common);
  expect(gain(SAID[0]!).pair).toBeGreaterThan(1);
  expect(gain("яблоками дачу утром на за завтра поеду").pair).toBeLessThan(0);
  const once = trainGrammar(SAID, common).gain(SAID[2]!);
  expect(trainGrammar([...SAID, SAID[2]!], common).gain(SAID[2]!, true)).toEqual(once);
});
