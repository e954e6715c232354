// Splits Russian and English sentences. Intl.Segmenter follows Unicode's rules, but does not know that «ул.» or «А. С.» end nothing.

import { continuesOnNextLine, LIST_MARK } from "./list-lines.ts";

interface Sentence {
  text: string;
  /** `text === whole.slice(start, end)`, in UTF-16 units. */
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter("ru", { granularity: "sentence" });

/** Returns trimmed sentences in order; a line break ends one unless the line was clearly wrapped. */
export function splitSentences(text: string): string[] {
  return sentenceSpans(text).map((sentence) => sentence.text);
}

export function sentenceSpans(text: string): Sentence[] {
  const spans: Sentence[] = [];
  const goesOnAt = lineBreaks(text);
  let start = 0;
  let end = 0;
  const close = (): void => {
    const raw = text.slice(start, end);
    const trimmed = raw.trim();
    if (trimmed !== "") {
      const from = start + raw.indexOf(trimmed);
      spans.push({ text: trimmed, start: from, end: from + trimmed.length });
    }
    start = end;
  };
  for (const { segment } of segmenter.segment(text)) {
    for (const piece of cutAtEllipses(segment)) {
      if (end > start && piece.trim() !== "" && !belongTogether(text.slice(start, end), piece, () => goesOnAt(end)))
        close();
      end += piece.length;
    }
  }
  close();
  return spans;
}

/** Unicode does not end a sentence at «…»; before a capital letter it is an end. */
function cutAtEllipses(segment: string): string[] {
  if (!segment.includes("…")) return [segment];
  const pieces: string[] = [];
  let start = 0;
  for (const match of segment.matchAll(/…[»”"')\]]*\s+(?=[«„"(]?\p{Lu})/gu)) {
    const end = match.index + match[0].length;
    pieces.push(segment.slice(start, end));
    start = end;
  }
  pieces.push(segment.slice(start));
  return pieces;
}

/** Abbreviations that never end a sentence. */
const GOES_ON = abbreviations(
  "т. е|т. к|т. н|ул|пр-т|просп|пл|пер|наб|бул|ш|мкр|корп|оф|эт|обл|пос|дер|им|проф|акад|доц|тел|моб|доб|см|ср|рис|табл|гл|напр|т. ч|г-н|г-жа|гр|св|прим|англ|лат|Mr|Mrs|Ms|Dr|Prof|St|vs|e. g|i. e|cf|Fig|No",
);
/** Abbreviations that continue only before a number: «д. 5», «п. 3», «кв. 7». */
const GOES_ON_BEFORE_NUMBER = abbreviations("д|кв|стр|п|пп|ст|ч|с|к|под|ок|вып|изд");
const TOWN_OR_YEAR = abbreviations("г|гор");
const INITIAL = /(?:^|[\s(«„"])(?!Я\.|I\.)\p{Lu}\.$/u;
const ITEM_NUMBER = /^\s*[([]?(?:\d{1,3}|[a-hj-zа-ю])[.)]$/i;
const CLOSED_QUOTE = /[.!?…][»”"')\]]+$/;

function abbreviations(list: string): RegExp {
  const words = list
    .split("|")
    .map((word) => word.replace(/\. /g, "\\.\\s?"))
    .join("|");
  return new RegExp(`(?:^|[^\\p{L}\\p{N}.-])(?:${words})\\.$`, "iu");
}

/** Returns whether the line ending before a position continues on the next one. Each block of lines is analysed once. */
function lineBreaks(text: string): (at: number) => boolean {
  let block = { start: 0, end: -1, lines: [] as string[] };
  /** Current line and its end after the line break; positions must be queried from left to right. */
  let line = 0;
  let lineEnd = 0;
  return (at) => {
    if (at > block.end) {
      const start = text.lastIndexOf("\n\n", at - 2) + 1;
      const blank = text.indexOf("\n\n", at);
      const end = blank < 0 ? text.length : blank;
      block = { start, end, lines: text.slice(start, end).split("\n") };
      line = 0;
      lineEnd = start + block.lines[0]!.length + 1;
    }
    for (; line + 1 < block.lines.length; line++) {
      const next = lineEnd + block.lines[line + 1]!.length + 1;
      if (next > at) break;
      lineEnd = next;
    }
    return continuesOnNextLine(block.lines, line);
  };
}

/** Whether the segmenter has split one sentence in two. @param lineGoesOn called only for parts separated by one line break */
function belongTogether(before: string, next: string, lineGoesOn: () => boolean): boolean {
  const said = before.trimEnd();
  const gap = before.slice(said.length);
  const breaks = gap.split("\n").length - 1;
  if (said === "") return true;
  // The closing half of a pair of marks: «**Где вы?**».
  if (gap === "" && /^[*_]{1,3}\s*$/.test(next)) return true;
  if (breaks > 1 || (breaks === 1 && LIST_MARK.test(next))) return false;
  if (GOES_ON.test(tail(said))) return true;
  if (breaks === 1) return lineGoesOn();
  if (ITEM_NUMBER.test(tail(said)) && said.length < 8) return true;
  if (GOES_ON_BEFORE_NUMBER.test(tail(said)) && /^\d/.test(next)) return true;
  // «в г. Москва» continues, «в 1799 г. Он родился» does not.
  if (TOWN_OR_YEAR.test(tail(said))) return /^\p{Lu}/u.test(next) && !/\d\s*(?:г|гор)\.$/iu.test(said);
  if (INITIAL.test(tail(said)) && /^\p{Lu}/u.test(next)) return true;
  // A dash continues quoted speech: «Когда?» — спросил он.
  if (/^[-–—]\s+\p{Ll}/u.test(next)) return true;
  return CLOSED_QUOTE.test(said) && /^\p{Ll}/u.test(next);
}

/** The rules inspect only the end of a sentence, so that long ones cost no more. */
function tail(text: string): string {
  return text.slice(-24);
}
