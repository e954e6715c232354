/**
 * Removes from every reply, before anyone sees it, images, addresses without a source, HTML, invisible characters and claims to be human.
 * An image or link from an injected instruction could leak private text when it is displayed.
 */

import { claimsIn, markerIn, SENTENCE_END } from "#server/knowledge/language/human-claim.ts";
import { visibleText } from "#server/knowledge/language/visible-text.ts";
import { addressKey, keysIn, withoutAddresses } from "./known-addresses.ts";
import { OPENS_TAG, withoutMarkup } from "./markup.ts";
import { withoutMentions } from "./mentions.ts";
import { DOT_SIGNS, SPOKEN_DOTS } from "./spaced-addresses.ts";

interface OutputGuard {
  /** Returns the text that may be shown now; the rest waits until its continuation is known. */
  push(delta: string): string;
  end(): string;
}

/** @param sources texts whose addresses may be repeated: chunks, the owner's replies, the twin's description */
export function guardOutput(text: string, sources: readonly string[]): string {
  const guard = outputGuard(sources);
  return guard.push(text) + guard.end();
}

/** Guards a stream; the output does not depend on how the text is cut into deltas. */
export function outputGuard(sources: readonly string[]): OutputGuard {
  // Computed lazily: few replies contain an address, and searching all sources is expensive.
  let known: ReadonlySet<string>[] | undefined;
  const mayLink = (key: string) => {
    known ??= sources.map(keysIn);
    return known.some((keys) => keys.has(key));
  };
  let held = "";
  let space = "";
  let begun = false;
  let sentence = "";
  const emit = (text: string) => {
    const read = withoutClaims(sentence, cleaned(text, mayLink));
    sentence = lastSentence(sentence + read);
    const clean = (space + read).replace(/[ \t]{2,}/g, " ");
    const shown = clean.trimEnd();
    space = clean.slice(shown.length);
    if (begun || shown === "") return shown;
    begun = true;
    return shown.trimStart();
  };
  return {
    push(delta) {
      held += delta;
      const ready = settledLength(held);
      const text = held.slice(0, ready);
      held = held.slice(ready);
      return text === "" ? "" : emit(text);
    },
    end() {
      const text = held;
      held = "";
      return emit(text);
    },
  };
}

/** Characters that may have to be held back: the longest label with its target, or a sentence that may contain a claim. */
const BACK = 1400;

/** Returns the length up to the last space that cannot split an address, link, tag or claim. */
function settledLength(text: string): number {
  for (let at = text.length - 2; at > 0; at--) {
    if (!isSpace(text[at]!) || isSpace(text[at + 1]!) || isSpace(text[at - 1]!)) continue;
    if (joins(text, at)) continue;
    const before = text.slice(Math.max(0, at - BACK), at);
    const sentence = lastSentence(before);
    const marker = markerIn(sentence);
    if (marker >= 0) at = at - sentence.length + marker;
    else if (!isOpen(before)) return at;
  }
  return 0;
}

/**
 * Whether the words around a space may be parts of one address or mention: «пример точка ру», «пример .ru», «пример.
 * ru»,
 * «пример [.] ru», «[текст] (адрес)», «*имя (текст)».
 */
function joins(text: string, at: number): boolean {
  if ("([{</\\".includes(text[at + 1]!) || ")]}>".includes(text[at - 1]!)) return true;
  const behind = text.slice(at + 1, at + 40).split(/\s/, 1)[0]!;
  const before = text
    .slice(Math.max(0, at - 40), at)
    .split(/\s/)
    .at(-1)!;
  if (behind.includes("<") || before.includes(">")) return true;
  const [next, last] = [bareWord(behind), bareWord(before)];
  if (next === "" || last === "" || DOT_SIGNS.includes(behind[0]!)) return true;
  if (DOT_SIGNS.includes(before.at(-1)!) && JOINS_BEHIND_DOT.test(behind)) return true;
  return [...SPOKEN_DOTS].some((dot) => dot.startsWith(next) || next.includes(dot) || last.includes(dot));
}

/** Possible beginnings of an address's continuation after a full stop and a space: a Latin word, a number, a Cyrillic domain ending. */
const JOINS_BEHIND_DOT = /^(?:\p{Script=Latin}|\d|[рсубхо])/iu;

const bareWord = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a label, target or tag is still open. Uses indexes instead of regular expressions, so that many brackets stay fast. */
function isOpen(before: string): boolean {
  const label = before.lastIndexOf("[");
  if (label > before.lastIndexOf("]") && before.length - label <= 301) return true;
  const tag = before.lastIndexOf("<");
  if (tag > before.lastIndexOf(">") && OPENS_TAG.test(before[tag + 1] ?? "")) return true;
  const target = Math.max(...["](", "] (", "]\n(", "]\t("].map((opening) => before.lastIndexOf(opening)));
  return target >= 0 && !/[)\n]/.test(before.slice(before.indexOf("(", target)));
}

/** U+FEFF is no space here: it is removed, which joins the words around it. */
const isSpace = (char: string) => char !== "\ufeff" && /\s/.test(char);

const ROUNDS = 5;

function cleaned(text: string, mayLink: (key: string) => boolean): string {
  const once = (from: string) =>
    withoutAddresses(
      withoutMentions(
        withoutMarkup(from, (address) => mayLink(addressKey(address))),
        mayLink,
      ),
      mayLink,
    );
  let clean = visibleText(text);
  // A removal may join its neighbours into a new address, so it is repeated until nothing changes.
  for (let round = 0; round < ROUNDS; round++) {
    const before = clean;
    clean = once(clean);
    if (clean === before) return clean.replace(/<(?=[a-z/!@#&])/giu, "");
  }
  // Deeper nesting than in any real text: spaces replace all brackets, so that nothing is joined.
  return withoutAddresses(clean.replace(/[<>[\]()]/g, " "), mayLink);
}

/** @param shown the part of the sentence before `text` that was shown already */
function withoutClaims(shown: string, text: string): string {
  const whole = shown + text;
  let clean = "";
  let at = shown.length;
  for (const { start, end } of claimsIn(whole)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    const claim = whole.slice(from, end);
    const honest = /\p{Script=Cyrillic}/u.test(claim)
      ? capitalLike(claim, "я ИИ-двойник, а не человек")
      : "I'm an AI twin, not a human";
    clean += whole.slice(at, from) + honest;
    at = end;
  }
  return clean + whole.slice(at);
}

function lastSentence(text: string): string {
  let at = text.length;
  while (at > 0 && !SENTENCE_END.test(text[at - 1]!)) at--;
  return text.slice(at);
}

const capitalLike = (like: string, text: string) =>
  /^\p{Lu}/u.test(like) ? text[0]!.toUpperCase() + text.slice(1) : text;
