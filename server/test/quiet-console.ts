/**
 * console.error fails the test that caused it: what the product has to say goes through its log. A test that expects the line replaces
 * console.error itself (`vi.spyOn(console, "error")`).
 */
import { format } from "node:util";
import { afterEach, beforeEach } from "vitest";

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
