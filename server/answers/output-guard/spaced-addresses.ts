/**
 * Finds addresses written apart, which people still recognise but link detectors do not: «evil . com», «evil [точка] com», «evil точка
 * ком», «t . me / evil», «185 . 12 . 33 . 4». A dot joins its neighbours depending on its notation and on both of them, because «1 . 5
 * кг», «Код 2 . Этаж 3» and «точка зрения» look alike.
 */
import { FUNCTION_WORDS } from "#server/knowledge/language/words/lexicon.ts";
import { withoutClosing } from "./addresses.ts";
import { isCyrillicZone, isMixed, isNarrowZone, isZone, spokenZone } from "./zones.ts";

interface SpacedAddress {
  start: number;
  end: number;
  address: string;
}

const LABEL = /[\p{L}\p{N}]+(?:[\p{M}_-]{1,9}[\p{L}\p{N}]+)*/gu;
const DOTS = ".\u3002\uff0e\uff61\u2024\ufe52";
/** Signs that stand for a dot only before a top-level domain; in «кВт·ч» and «чай • кофе» they do not. */
const WEAK_DOTS = "\u00b7\u2022\u2219\u22c5\u30fb";
const DOT_GAP = new RegExp(String.raw`^([^\S\n]{0,2})([${DOTS}${WEAK_DOTS}])([^\S\n]{0,2})$`, "u");
/** Markup characters that platforms render as bold or italic and hide: «evil_._com». */
const MARKS = /[*_~\u0060]/g;
const BRACKET_GAP = new RegExp(String.raw`^[^\S\n]{0,2}[([{<][^\S\n]?[${DOTS}][^\S\n]?[)\]}>][^\S\n]{0,2}$`, "u");
const OPENS = /^[^\S\n]{0,2}[([{<][^\S\n]?$/u;
const CLOSES = /^[^\S\n]?[)\]}>][^\S\n]{0,2}$/u;
const SPACE = /^[^\S\n]{1,2}$/u;
const LONGEST_GAP = 8;
/** A port and a path after the host; the path may be written apart too. */
const TAIL = /(?::\d{2,5})?(?:[/?#\\][^\s()«»"]{0,500}|[^\S\n]{1,2}[/\\][^\S\n]?[^\s()«»"]{0,500})?/uy;

/** Spoken names of a dot, shared with the stream guard (guard-output.ts). */
export const SPOKEN_DOTS: ReadonlySet<string> = new Set(["точка", "дот", "dot"]);
export const DOT_SIGNS = DOTS + WEAK_DOTS;

interface Label {
  text: string;
  start: number;
  end: number;
}

/** How two labels are joined. `apart`: not as in a normal address. */
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
  next: number;
  isAddress: boolean;
}

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
  // Four numbers below 256 are an IP address; other counts are dates, sizes and lists.
  const counts = parts.length === 4 && parts.every((part) => Number(part) < 256);
  const isAddress = joins.some(({ apart }) => apart) && (counts || !joins.every(({ numbers }) => numbers));
  return { parts, last: labels[at]!, next: at + 1, isAddress };
}

const isNumber = (label: string) => /^\d{1,3}$/.test(label);
const isLatin = (label: string) => /\p{Script=Latin}/u.test(label) || isMixed(label);
const isLower = (label: string) => label === label.toLowerCase();
const APART: Join = { apart: true, numbers: false };

/** «evil точка com» and «evil (dot) com» name a dot; «точка зрения» and «точка на карте» do not. */
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

/** A normal dot continues an address that is written apart elsewhere. Look-alike letters make no normal address. */
function jointOf(left: Label, right: Label, numbers: boolean): Join | null {
  if (numbers) return { apart: false, numbers };
  const lookalike = isLatin(left.text) && /\P{Script=Latin}/u.test(right.text) && isZone(right.text);
  return lookalike ? APART : isLatin(right.text) && isLower(right.text) ? { apart: false, numbers: false } : null;
}

/** A sentence has no space before its full stop, so «evil . com» and «evil .com» are addresses, except in careless writing. */
function endsBehindSpace(text: string, left: Label, right: Label, behind: string): boolean {
  const word = right.text.toLowerCase();
  if (isCyrillicZone(right.text)) return true;
  if (FUNCTION_WORDS.has(word)) return isZone(word) && isHostLike(text, left, right);
  if (!isLatin(left.text)) return behind !== "" && isZone(word);
  // Texts about file endings and domains are no addresses: «a .deb file», «the .com boom», «формат .docx».
  if (behind === "") return !isFunctionWord(left) && (isNarrowZone(word) || (isZone(word) && looksLikeHost(left)));
  return isZone(word) || (looksLikeHost(left) && /^[a-z]{2,24}$/.test(right.text));
}

/** «evil. com» may also end a sentence, so the ending or the name before it must not be a word. */
function endsBehindStop(text: string, left: Label, right: Label): boolean {
  if (isCyrillicZone(right.text)) return isLower(right.text);
  const sameCase = isLower(right.text) || (isUpper(left.text) && isUpper(right.text));
  if (!isLatin(left.text) || !isZone(right.text) || !sameCase) return false;
  if (isHostLike(text, left, right) && !(left.text.length === 1 && isFunctionWord(right) && !hasPath(text, right)))
    return true;
  return isNarrowZone(right.text) && !isFunctionWord(right) && !isFunctionWord(left);
}

/** Whether a path follows, or the label before the dot is unlikely to be a word: «evil-shop», «t». */
const isHostLike = (text: string, left: Label, right: Label): boolean => hasPath(text, right) || looksLikeHost(left);

const hasPath = (text: string, { end }: Label): boolean => /^[^\S\n]{0,2}\//u.test(text.slice(end, end + 3));

const looksLikeHost = ({ text }: Label): boolean => isLatin(text) && (/[-_\d]/.test(text) || text.length === 1);
const isFunctionWord = ({ text }: Label): boolean => FUNCTION_WORDS.has(text.toLowerCase());

const isUpper = (label: string) => label.length > 1 && label === label.toUpperCase();
