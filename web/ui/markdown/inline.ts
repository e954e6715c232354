export type Inline =
  | string
  | { kind: "strong"; inside: Inline[] }
  | { kind: "em"; inside: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; inside: Inline[] };

/** Maximum nesting of marks; what is nested deeper stays plain text. */
const DEEPEST = 4;
/** Maximum characters of a link's text; a link with a longer one stays plain text. */
const LONGEST_NAME = 500;
/** Maximum characters of a link's address; a link with a longer one stays plain text. */
const LONGEST_ADDRESS = 2000;

const MARKS = [
  ["**", "strong"],
  ["__", "strong"],
  ["*", "em"],
  ["_", "em"],
] as const;
const ADDRESS = /^https?:\/\/[^\s<>"«»|]{1,2000}/;
const LETTER = /[\p{L}\p{N}]/u;

export function inlineOf(text: string, depth = 0): Inline[] {
  const pieces: Inline[] = [];
  /** Marks without a closing mark. Searching again for each would take quadratic time. */
  const unclosed = new Set<string>();
  let from = 0;
  const mark = /[*_`[\\]|https?:\/\//g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index;
    const taken = takenAt(text, at, depth, unclosed);
    if (taken === null) continue;
    if (at > from) pieces.push(text.slice(from, at));
    pieces.push(taken.piece);
    from = taken.end;
    mark.lastIndex = from;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

interface Taken {
  piece: Inline;
  end: number;
}

function takenAt(text: string, at: number, depth: number, unclosed: Set<string>): Taken | null {
  const sign = text[at]!;
  if (sign === "\\") {
    const next = text[at + 1];
    return next !== undefined && "\\`*_[]#|".includes(next) ? { piece: next, end: at + 2 } : null;
  }
  if (sign === "`") {
    const end = closing(text, "`", at + 1, unclosed);
    return end < 0 ? null : { piece: { kind: "code", text: text.slice(at + 1, end) }, end: end + 1 };
  }
  if (depth >= DEEPEST) return null;
  if (sign === "[") return linkAt(text, at);
  if (sign === "h") return addressAt(text, at);
  const found = MARKS.find(([each]) => text.startsWith(each, at));
  return found ? markedAt(text, at, found, depth, unclosed) : null;
}

/** Parses an emphasis mark. «2 * 3 * 4» and «snake_case» have none: a mark adjoins its words, and «_» is not inside a word. */
function markedAt(
  text: string,
  at: number,
  [mark, kind]: (typeof MARKS)[number],
  depth: number,
  unclosed: Set<string>,
): Taken | null {
  const begin = at + mark.length;
  if (begin >= text.length || /\s/.test(text[begin]!)) return null;
  if (mark[0] === "_" && at > 0 && LETTER.test(text[at - 1]!)) return null;
  const end = closing(text, mark, begin + 1, unclosed);
  if (end < 0 || /\s/.test(text[end - 1]!)) return null;
  const after = text[end + mark.length];
  if (mark[0] === "_" && after !== undefined && LETTER.test(after)) return null;
  return { piece: { kind, inside: inlineOf(text.slice(begin, end), depth + 1) }, end: end + mark.length };
}

function closing(text: string, mark: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(mark)) return -1;
  const end = text.indexOf(mark, from);
  if (end < 0) unclosed.add(mark);
  return end;
}

function linkAt(text: string, at: number): Taken | null {
  const middle = text.slice(at + 1, at + LONGEST_NAME).indexOf("](");
  if (middle < 0) return null;
  const name = text.slice(at + 1, at + 1 + middle);
  const begin = at + middle + 3;
  const length = text.slice(begin, begin + LONGEST_ADDRESS).indexOf(")");
  if (length < 0 || name.includes("\n")) return null;
  const href = safeAddress(text.slice(begin, begin + length).trim());
  if (href === null) return null;
  return { piece: { kind: "link", href, inside: inlineOf(name, DEEPEST) }, end: begin + length + 1 };
}

function addressAt(text: string, at: number): Taken | null {
  const whole = ADDRESS.exec(text.slice(at, at + LONGEST_ADDRESS))?.[0];
  // Punctuation at the end of a sentence is not part of the address.
  const written = whole?.replace(/[.,;:!?)\]*_]{1,10}$/, "");
  const href = written ? safeAddress(written) : null;
  return href === null ? null : { piece: { kind: "link", href, inside: [written!] }, end: at + written!.length };
}

/** Returns a link's address if it is a web page or a mailbox, otherwise null. */
export function safeAddress(written: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(written) || !URL.canParse(written)) return null;
  return written;
}
