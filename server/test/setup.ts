// console.error fails the test that caused it: what the product has to say goes through its log. A test that expects
// the line replaces console.error itself (`vi.spyOn(console, "error")`).
import { format } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach } from "vitest";

// The same cases in every run: a red property is the fault of the change at hand. FC_SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });

const show = console.error;
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  console.error = (...values: unknown[]) => {
    lines.push(format(...values));
    show(...values);
  };
});

afterEach(() => {
  console.error = show;
  if (lines.length > 0) throw new Error(`console.error was called:\n${lines.join("\n")}`);
});
