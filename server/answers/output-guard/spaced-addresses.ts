/**
 * Finds addresses that are written apart, so that no program takes them for a link and a person still can: «evil . com», «evil [точка]
 * com», «evil точка ком», «t . me / evil», «185 . 12 . 33 . 4». Which dots join their neighbours is decided by their notation and by both
 * neighbours, because «1 . 5 кг», «Код 2 . Этаж 3» and «точка зрения» are written alike.
 */
import { FUNCTION_WORDS } from "#server/knowledge/language/words/lexicon.ts";
import { withoutClosing } from "./addresses.ts";
import { isCyrillicZone, isMixed, isNarrowZone, isZone, spokenZone } from "./zones.ts";

/** Where an address stands in a text, and how it would be written properly. */
export interface SpacedAddress {
  start: number;
  end: number;
  address: string;
}

const LABEL = /[\p{L}\p{N}]+(?:[\p{M}_-]{1,9}[\p{L}\p{N}]+)*/gu;
const DOTS = ".\u3002\uff0e\uff61\u2024\ufe52";
/** Signs that stand for a dot only before a domain's ending; in «кВт·ч» and «чай • кофе» they do not. */
const WEAK_DOTS = "\u00b7\u2022\u2219\u22c5\u30fb";
const DOT_GAP = new RegExp(String.raw`^([^\S\n]{0,2})([${DOTS}${WEAK_DOTS}])([^\S\n]{0,2})$`, "u");
/** Signs that platforms show as bold or italic, and so not at all: «evil_._com». */
const MARKS = /[*_~\u0060]/g;
const BRACKET_GAP = new RegExp(String.raw`^[^\S\n]{0,2}[([{<][^\S\n]?[${DOTS}][^\S\n]?[)\]}>][^\S\n]{0,2}$`, "u");
const OPENS = /^[^\S\n]{0,2}[([{<][^\S\n]?$/u;
const CLOSES = /^[^\S\n]?[)\]}>][^\S\n]{0,2}$/u;
const SPACE = /^[^\S\n]{1,2}$/u;
const LONGEST_GAP = 8;
/** A port and a path behind it; the path may be written apart as well. */
const TAIL = /(?::\d{2,5})?(?:[/?#\\][^\s()«»"]{0,500}|[^\S\n]{1,2}[/\\][^\S\n]?[^\s()«»"]{0,500})?/uy;

/** The same words are spoken in the stream's guard (guard-output.ts). */
export const SPOKEN_DOTS: ReadonlySet<string> = new Set(["точка", "дот", "dot"]);
export const DOT_SIGNS = DOTS + WEAK_DOTS;

interface Label {
  text: string;
  start: number;
  end: number;
}

/** How two labels are joined. `apart`: not as in a proper address. */
interface Join {
  apart: boolean;
  numbers: boolean;
}

export function findSpacedAddresses(text: string): SpacedAddress[] {
  const labels = [...text.matchAll(LABEL)].map(({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
  const found: SpacedAddress[] = [];
  for (let at = 0; at < labels.length; ) {
    const run = runFrom(text, labels, at);
    const begin = at;
    at = run.next;
    if (!run.isAddress) continue;
    TAIL.lastIndex = run.last.end;
    const tail = withoutClosing(TAIL.exec(text)![0]);
    found.push({
      start: labels[begin]!.start,
      end: run.last.end + tail.length,
      address: run.parts.join(".") + tail.replace(/\s/g, ""),
    });
  }
  return found;
}

interface Run {
  parts: string[];
  last: Label;
  /** Where the next run begins. */
  next: number;
  isAddress: boolean;
}

/** The labels that are joined to this one and those behind it. */
function runFrom(text: string, labels: readonly Label[], from: number): Run {
  const parts = [labels[from]!.text];
  const joins: Join[] = [];
  let at = from;
  for (;;) {
    const spoken = SPOKEN_DOTS.has(labels[at + 1]?.text.toLowerCase() ?? "");
    const [left, right] = [labels[at]!, labels[at + (spoken ? 2 : 1)]];
    if (right === undefined || right.start - left.end > 2 * LONGEST_GAP + 5) break;
    const join = spoken ? spokenJoin(text, left, labels[at + 1]!, right) : joinOf(text, left, right);
    if (join === null) break;
    joins.push(join);
    parts.push(spokenZone(right.text, isLatin(left.text)) ?? right.text);
    at += spoken ? 2 : 1;
  }
  // Four numbers are an address of the network; fewer or more are dates, sizes and lists.
  const counts = parts.length === 4 && parts.every((part) => Number(part) < 256);
  const isAddress = joins.some(({ apart }) => apart) && (counts || !joins.every(({ numbers }) => numbers));
  return { parts, last: labels[at]!, next: at + 1, isAddress };
}

const isNumber = (label: string) => /^\d{1,3}$/.test(label);
const isLatin = (label: string) => /\p{Script=Latin}/u.test(label) || isMixed(label);
const isLower = (label: string) => label === label.toLowerCase();
const APART: Join = { apart: true, numbers: false };

/** «evil точка com», «evil (dot) com»; a place or a point of view is no dot. */
function spokenJoin(text: string, left: Label, dot: Label, right: Label): Join | null {
  const [before, behind] = [text.slice(left.end, dot.start), text.slice(dot.end, right.start)];
  const ending = spokenZone(right.text, isLatin(left.text)) !== null || isCyrillicZone(right.text);
  if (OPENS.test(before) && CLOSES.test(behind))
    return ending || isEndingOf(left, right) ? bracketed(left, right) : null;
  if (!SPACE.test(before) || !SPACE.test(behind)) return null;
  if (ending) return APART;
  return isZone(right.text) && !FUNCTION_WORDS.has(right.text.toLowerCase()) ? APART : null;
}

const bracketed = (left: Label, right: Label): Join => ({
  apart: true,
  numbers: isNumber(left.text) && isNumber(right.text),
});

/** Whether the right label may end a domain that the left one begins, where the dot between them is beyond doubt. */
const isEndingOf = (left: Label, right: Label) =>
  (isNumber(left.text) && isNumber(right.text)) ||
  isZone(right.text) ||
  (/^[a-z-]{2,24}$/i.test(right.text) && isLatin(right.text));

function joinOf(text: string, left: Label, right: Label): Join | null {
  const gap = text.slice(left.end, right.start);
  if (gap.length > LONGEST_GAP) return null;
  if (BRACKET_GAP.test(gap))
    return isEndingOf(left, right) || isCyrillicZone(right.text) ? bracketed(left, right) : null;
  const bare = gap.replace(MARKS, "");
  const dot = DOT_GAP.exec(bare);
  if (dot === null) return null;
  const [, before, sign, behind] = dot;
  const ending = isZone(right.text) || isCyrillicZone(right.text);
  if (WEAK_DOTS.includes(sign!)) return isLatin(left.text) && ending ? APART : null;
  const numbers = isNumber(left.text) && isNumber(right.text);
  if (before === "" && behind === "") return gap !== bare && ending ? APART : jointOf(left, right, numbers);
  if (numbers) return { apart: true, numbers };
  return (before === "" ? endsBehindStop(text, left, right) : endsBehindSpace(text, left, right, behind!))
    ? APART
    : null;
}

/** A plain dot continues an address that is written apart elsewhere. Look-alike letters are no plain address. */
function jointOf(left: Label, right: Label, numbers: boolean): Join | null {
  if (numbers) return { apart: false, numbers };
  const lookalike = isLatin(left.text) && /\P{Script=Latin}/u.test(right.text) && isZone(right.text);
  return lookalike ? APART : isLatin(right.text) && isLower(right.text) ? { apart: false, numbers: false } : null;
}

/** «evil . com», «evil .com»: no sentence ends with a space before its full stop, unless it is written carelessly. */
function endsBehindSpace(text: string, left: Label, right: Label, behind: string): boolean {
  const word = right.text.toLowerCase();
  if (isCyrillicZone(right.text)) return true;
  if (FUNCTION_WORDS.has(word)) return isZone(word) && isHostLike(text, left, right);
  if (!isLatin(left.text)) return behind !== "" && isZone(word);
  // «a .deb file», «the .com boom» and «формат .docx» speak of endings.
  if (behind === "") return !isFunctionWord(left) && (isNarrowZone(word) || (isZone(word) && looksLikeHost(left)));
  return isZone(word) || (looksLikeHost(left) && /^[a-z]{2,24}$/.test(right.text));
}

/** «evil. com», which is also how a sentence ends: the ending must be no word, or the name before it no word. */
function endsBehindStop(text: string, left: Label, right: Label): boolean {
  if (isCyrillicZone(right.text)) return isLower(right.text);
  const sameCase = isLower(right.text) || (isUpper(left.text) && isUpper(right.text));
  if (!isLatin(left.text) || !isZone(right.text) || !sameCase) return false;
  // «Ph. D. in physics»
  if (isHostLike(text, left, right) && !(left.text.length === 1 && isFunctionWord(right) && !hasPath(text, right)))
    return true;
  return isNarrowZone(right.text) && !isFunctionWord(right) && !isFunctionWord(left);
}

/** Whether a path follows, or what stands before the dot is hardly a word: «evil-shop», «t». */
const isHostLike = (text: string, left: Label, right: Label): boolean => hasPath(text, right) || looksLikeHost(left);

const hasPath = (text: string, { end }: Label): boolean => /^[^\S\n]{0,2}\//u.test(text.slice(end, end + 3));

const looksLikeHost = ({ text }: Label): boolean => isLatin(text) && (/[-_\d]/.test(text) || text.length === 1);
const isFunctionWord = ({ text }: Label): boolean => FUNCTION_WORDS.has(text.toLowerCase());

const isUpper = (label: string) => label.length > 1 && label === label.toUpperCase();
