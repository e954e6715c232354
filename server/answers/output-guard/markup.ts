/** Removes images, links and tags of Markdown, HTML, VK, Slack and Discord in one pass from left to right. */
import { addressesIn } from "./addresses.ts";
import { barredLabel } from "./mentions.ts";

/** Maximum length in characters; anything longer is no label, target or tag. */
const LONGEST_LABEL = 300;
const LONGEST_TARGET = 1000;

/**
 * Removes images and tags; links keep their label and, if `mayLink` allows it, their address.
 * @param mayLink called with the address as written
 */
export function withoutMarkup(text: string, mayLink: (address: string) => boolean): string {
  if (!/[[<]/.test(text)) return text;
  const next = finder(text);
  let clean = "";
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    const picture = char === "!" && text[at + 1] === "[";
    const taken =
      char === "<" ? tagAt(text, at, next, mayLink) : char === "[" || picture ? linkAt(text, at, next, mayLink) : null;
    clean += taken === null ? char : taken.text;
    at = taken === null ? at + 1 : taken.end;
  }
  return clean;
}

interface Taken {
  text: string;
  end: number;
}

type Next = (char: string, from: number) => number;

/** Returns the next index of a character; queries from left to right search each text only once. */
function finder(text: string): Next {
  const known = new Map<string, number>();
  return (char, from) => {
    const before = known.get(char) ?? -2;
    if (before === -1 || before >= from) return before;
    const found = text.indexOf(char, from);
    known.set(char, found);
    return found;
  };
}

/** Returns the index of `close` within `longest` characters and before any of `not`; −1: none. */
function closedAt(next: Next, close: string, from: number, longest: number, not: readonly string[]): number {
  const end = next(close, from);
  if (end < 0 || end - from > longest) return -1;
  return not.some((char) => {
    const place = next(char, from);
    return place >= 0 && place < end;
  })
    ? -1
    : end;
}

function linkAt(text: string, at: number, next: Next, mayLink: (address: string) => boolean): Taken | null {
  const picture = text[at] === "!";
  const begin = picture ? at + 2 : at + 1;
  const close = closedAt(next, "]", begin, LONGEST_LABEL, ["["]);
  if (close < 0) return null;
  const label = text.slice(begin, close);
  const open = /\s/.test(text[close + 1] ?? "") ? close + 2 : close + 1;
  if (text[open] === "(") {
    const end = closedAt(next, ")", open + 1, LONGEST_TARGET, ["\n"]);
    if (end >= 0) {
      return { text: picture ? "" : linked(label, addressIn(text.slice(open + 1, end)), mayLink), end: end + 1 };
    }
    // An image with an unclosed target is removed with the part of the target that exists.
    if (picture) return { text: "", end: targetEnd(text, open + 1, next) };
  }
  if (!picture) {
    const shown = barredLabel(label, mayLink);
    return shown === null ? null : { text: shown, end: close + 1 };
  }
  const reference = text[open] === "[" ? closedAt(next, "]", open + 1, LONGEST_LABEL, []) : -1;
  return { text: "", end: reference < 0 ? close + 1 : reference + 1 };
}

function targetEnd(text: string, from: number, next: Next): number {
  const line = next("\n", from);
  return Math.min(line < 0 ? text.length : line, from + LONGEST_TARGET, text.length);
}

const addressIn = (target: string): string => {
  const said = target.trim().split(/\s/, 1)[0]!;
  return said.startsWith("<") ? said.slice(1).split(">", 1)[0]! : said;
};

function linked(label: string, address: string, mayLink: (address: string) => boolean): string {
  if (!mayLink(address)) return label;
  return label === address || label === "" ? address : `${label} (${address})`;
}

export const OPENS_TAG = /[a-z/!@#&]/i;

function tagAt(text: string, at: number, next: Next, mayLink: (address: string) => boolean): Taken | null {
  if (!OPENS_TAG.test(text[at + 1] ?? "")) return null;
  const end = closedAt(next, ">", at + 1, LONGEST_TARGET, ["<"]);
  if (end < 0) return null;
  const inside = text.slice(at + 1, end);
  return { text: shownOf(inside, mayLink), end: end + 1 };
}

/**
 * Returns what remains of «<…>»: nothing of a tag, the address of «<https://example.ru>», the label of «<@U1|Анна>» and
 * «<https://…|сюда>».
 */
function shownOf(inside: string, mayLink: (address: string) => boolean): string {
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? "" : inside.slice(bar + 1).trim();
  if (/^[@#!&]/.test(target)) return label;
  if (!/^[a-z][a-z0-9+.-]{1,30}:[^\s<>]*$/i.test(target) || addressesIn(target).length === 0) return "";
  return bar < 0 ? target : linked(label, target, mayLink);
}
