/** Whether an expression's time grows no faster than the text that it is given. */
import { analyse } from "scslre";
import type { Expression } from "./find-expressions.ts";
import { pumped, pumpsOf } from "./pathological-texts.ts";

const SHORT_CHARS = 4_000;
const LONG_CHARS = 20_000;
/** What is linear takes about a millisecond for the long text; what is quadratic a hundred or more. */
const LONGEST_MS = 15;
/** What takes `LONGEST_MS` for the long text and is quadratic takes twice this for the short one, a fifth of it. */
const SHORT_MS = 0.3;

/** Milliseconds of this thread's own time: whatever else the machine does counts for nothing. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Why it is not linear, or null. A library proves it of single characters; longer pieces are tried out. */
export function slowness(expression: Expression): string | null {
  const [report] = analyse(expression, { maxReports: 1, assumeRejectingSuffix: false }).reports;
  if (report !== undefined) {
    const degree = report.exponential ? "exponential" : "polynomial";
    return `${degree} (${report.type.toLowerCase()}) over ${JSON.stringify(report.character.pick)} repeated`;
  }
  const matcher = new RegExp(expression.source, `${expression.flags.replaceAll(/[gy]/g, "")}g`);
  for (const pump of pumpsOf(expression)) {
    for (const chars of [SHORT_CHARS, LONG_CHARS]) {
      const text = pumped(pump, chars);
      const run = () => cpuMs(() => text.replace(matcher, ""));
      let ms = run();
      // The first run may have to compile, and any may have to collect garbage.
      const longest = chars === SHORT_CHARS ? SHORT_MS : LONGEST_MS;
      if (ms > longest) ms = Math.min(ms, run(), run());
      if (chars === SHORT_CHARS && ms <= SHORT_MS) break;
      if (ms > LONGEST_MS) return `${Math.round(ms)} ms for ${text.length} characters of ${JSON.stringify(pump)}`;
    }
  }
  return null;
}
