/** Whatever is repeated however often, reading it takes time in proportion, so no text can block the event loop. */
import { expect, test } from "vitest";
import { READERS, UNITS } from "./expressions/foreign-readers.ts";
import { cpuMs } from "./expressions/linear.ts";

const SHORT = 3_000;
/** A quadratic reader takes sixteen million steps for it, which are more than these milliseconds on any machine. */
const FIRST = 4_000;
const FIRST_MS = 3;
/** Longer than any message; letters and files, which may be longer, are read elsewhere. */
const LONG = 12_000;
/** Four times the text: a reader in proportion takes four times as long, a quadratic one sixteen. */
const MAX_RATIO = 9;
/** A quadratic reader takes 144 million steps for the long text, at least a hundred milliseconds; a linear one on a busy machine less. */
const NOISE_MS = 30;
/** What stands behind the repeated unit: what does not fit makes a reader go back; without it one may be slow all the same, but rarely is. */
const ENDS = process.env.TEST_FULL === "1" ? ["", "!\u0001"] : ["!\u0001"];

test.each(Object.entries(READERS))("%s takes time in proportion to the length of its text", (_name, read) => {
  const slow: string[] = [];
  for (const unit of UNITS) {
    for (const end of ENDS) {
      const [short, first, long] = [SHORT, FIRST, LONG].map(
        (chars) => unit.repeat(Math.ceil(chars / unit.length)) + end,
      ) as [string, string, string];
      if (cpuMs(() => read(first)) <= FIRST_MS) continue;
      const took = cpuMs(() => read(long));
      if (took <= NOISE_MS) continue;
      // Measured again, the best of several: a run may have had to compile, to collect garbage, or to fill what is remembered.
      const base = Math.max(
        cpuMs(() => read(short)),
        0.5,
      );
      const again = Math.min(...[1, 2, 3, 4, 5].map((run) => cpuMs(() => read(long + " ".repeat(run)))));
      if (again > NOISE_MS + MAX_RATIO * base) slow.push(`${JSON.stringify(unit)}: ${base} → ${again} ms`);
    }
  }
  expect(slow).toEqual([]);
});

test("an opt-out message among twenty thousand spaces is recognised at once", () => {
  expect(cpuMs(() => READERS.isOptOut!(`стоп${" ".repeat(19_900)}x`))).toBeLessThan(20);
});
