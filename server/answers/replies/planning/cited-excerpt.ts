import { withoutMarkup } from "../extraction/markup.ts";
import type { Plan, ReplyRequest } from "../reply-request.ts";
import { shownNearest } from "../wording/nearest-quoted.ts";

export interface Excerpt {
  name: string;
  /** In the order of the text; together they form the excerpt. */
  parts: { text: string; cited: boolean }[];
}

/** Returns the cited lines with one before and one after; null when no document is cited. */
export function citedExcerpt(request: ReplyRequest, plan: Plan): Excerpt | null {
  const pieces = plan.kind === "knowledge" ? (request.answer?.citations ?? []) : shownNearest(request);
  const chunk = pieces[0]?.chunk;
  if (chunk === undefined) return null;
  const lines = linesOf(chunk.text);
  const cited = pieces.filter((piece) => piece.chunk === chunk).flatMap(({ text }) => linesOf(text));
  const spans = lines.map((line) => spansIn(line, cited));
  const first = spans.findIndex((found) => found.length > 0);
  if (first < 0) return null;
  const last = spans.findLastIndex((found) => found.length > 0);
  const from = Math.max(0, first - 1);
  const parts = lines.slice(from, last + 2).flatMap((line, at) => {
    const ended = from + at === Math.min(last + 1, lines.length - 1) ? line : `${line}\n`;
    return partsOf(ended, spans[from + at]!);
  });
  return { name: chunk.name, parts };
}

/** Without list markers, which the cited sentences lack. */
const linesOf = (text: string): string[] =>
  withoutMarkup(text)
    .split("\n")
    .map((line) => line.trim().replace(/^[-*•] /, ""))
    .filter((line) => line !== "");

interface Span {
  start: number;
  end: number;
}

function spansIn(line: string, pieces: readonly string[]): Span[] {
  const found = pieces.flatMap((piece) => {
    const start = line.indexOf(piece);
    return start < 0 ? [] : [{ start, end: start + piece.length }];
  });
  const spans: Span[] = [];
  for (const span of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= (spans.at(-1)?.end ?? 0)) spans.push(span);
  }
  return spans;
}

function partsOf(line: string, spans: readonly Span[]): Excerpt["parts"] {
  const parts: Excerpt["parts"] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start > at) parts.push({ text: line.slice(at, start), cited: false });
    parts.push({ text: line.slice(start, end), cited: true });
    at = end;
  }
  if (at < line.length) parts.push({ text: line.slice(at), cited: false });
  return parts;
}
