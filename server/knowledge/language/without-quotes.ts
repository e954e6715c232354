/**
 * Extracts the author's own text of a letter, without the quoted letter, the signature and forwarded parts. Supports plain text of common
 * mail programs, in Russian and in English.
 */

interface OwnWords {
  text: string;
  forwarded: boolean;
}

const MONTHS = "янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const DATED = new RegExp(
  `\\d{1,4}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{1,2}\\.?\\s{1,3}(?:${MONTHS})|(?:${MONTHS})[a-z]{0,10}\\.?\\s{1,3}\\d{1,2}`,
  "iu",
);
const TIME = /\d{1,2}[:.]\d{2}/;
/**
 * Matches the line above a quote: «On Mon, Nov 16, 2026 at 10:12 AM Ivan <ivan@…> wrote:», «16.11.2026 10:12, Иван пишет:», «написал(а):»
 */
const SAYS = /(?:wrote|writes|пишет|писал(?:а|\(а\))?|написал(?:а|\(а\)|и)?)$/iu;
const YOU_WROTE = /^(?:вы|ты) писали? /iu;
/** Matches a separator with a letter below it, under which the author has written nothing. */
const RULES =
  /^[-_=\s]*(?:original message|исходное сообщение|original appointment|конец исходного сообщения)[-_=\s]*$/iu;
const FORWARDS =
  /^(?:[-_=\s]*(?:forwarded message|пересылаемое сообщение|пересланное сообщение|пересланное письмо|переадресованное сообщение)[-_=\s]*|begin forwarded message:|начало (?:переадресованного|пересылаемого) сообщения:)$/iu;
/** Matches the four header lines of a letter quoted by Outlook. */
const FROM_LINE = /^\*?(?:from|от(?:\s+кого)?)\s*:\*?\s*\S/iu;
const HEAD_LINE = /^\*?(?:sent|date|to|cc|subject|отправлено|дата|кому|копия|тема)\s*:\*?\s/iu;

const MOBILE =
  /^(?:sent from (?:my |outlook|mail|yandex|yahoo|samsung|proton)|get outlook for|скачать outlook для|отправлено (?:с|со|из) (?:моего |моей |iphone|ipad|android|устройства|телефона|смартфона|планшета|мобильно|яндекс|почты|outlook|mail|samsung|huawei|honor|xiaomi))/iu;
const CLOSING =
  /^(?:с (?:глубоким |большим )?уважением|с наилучшими пожеланиями|всего (?:доброго|наилучшего)|(?:best|kind|warm)(?: kind)? regards|regards|sincerely(?: yours)?|yours sincerely|cheers)[\s,.!]*$/iu;
/** Maximum lines of a signature: name, position, telephone, address. */
const CLOSING_LINES = 8;
const CLOSING_CHARS = 80;
const HEAD_CHARS = 300;

export function ownWords(plain: string): OwnWords {
  const lines = joinHeads(
    plain
      .replace(/\r\n?/g, "\n")
      .replaceAll("\u00a0", " ")
      .split("\n")
      .map((line) => line.trimEnd()),
  );
  const kept: string[] = [];
  let forwarded = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    if (isQuoted(line)) continue;
    if (FORWARDS.test(line)) {
      forwarded = true;
      break;
    }
    if (RULES.test(line) || isLetterHead(lines, at)) break;
    if (isQuoteHead(line)) {
      // An author who answers below the quote continues under it; a quote without marks reaches to the end.
      if (isQuoted(nextLine(lines, at))) continue;
      break;
    }
    kept.push(lines[at]!);
  }
  return { text: withoutSignature(kept), forwarded };
}

/**
 * Returns whether this is the line above a quote: it is short and ends with a colon. A line that was broken in two has been joined before.
 */
function isQuoteHead(line: string): boolean {
  if (line.length > HEAD_CHARS || !line.endsWith(":")) return false;
  const said = line.slice(0, -1).trimEnd();
  if (YOU_WROTE.test(said) && /\d{4}/.test(said)) return true;
  const date = DATED.exec(said);
  if (date === null) return false;
  const behind = said.slice(date.index + date[0].length);
  // Examples: «пн, 16 нояб. 2026 г. в 10:12, Иван <ivan@…>:», «Понедельник, 16 ноября 2026, 10:12 +03:00 от Иван <ivan@…>:»
  return SAYS.test(behind) || (TIME.test(behind) && endsWithAddress(behind));
}

function endsWithAddress(text: string): boolean {
  const last = text.slice(text.lastIndexOf(" ") + 1);
  const at = last.indexOf("@");
  return at > 0 && at < last.length - 1;
}

const isQuoted = (line: string): boolean => /^(?:>|&gt;|\|\s)/.test(line);

function nextLine(lines: readonly string[], at: number): string {
  let next = at + 1;
  while (next < lines.length && lines[next] === "") next++;
  return lines[next]?.trim() ?? "";
}

/** Joins the line above a quote, which mail programs may break into two or three. */
function joinHeads(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [first, second, third] = [lines[at]!.trim(), lines[at + 1]?.trim() ?? "", lines[at + 2]?.trim() ?? ""];
    const head = [first, `${first} ${second}`, `${first} ${second} ${third}`].findIndex(isQuoteHead);
    if (head <= 0 || first.length > HEAD_CHARS || !DATED.test(first)) joined.push(lines[at]!);
    else {
      joined.push([first, second, third].slice(0, head + 1).join(" "));
      at += head;
    }
  }
  return joined;
}

/** Returns whether the lines are a letter's header «From: … Sent: … To: … Subject: …», with or without a separator above. */
function isLetterHead(lines: readonly string[], at: number): boolean {
  if (!FROM_LINE.test(lines[at]!.trim())) return false;
  const below = lines.slice(at + 1, at + 8).filter((line) => HEAD_LINE.test(line.trim()));
  return below.length >= 2;
}

function withoutSignature(lines: readonly string[]): string {
  const dashes = lines.findIndex((line) => /^--\s*$/.test(line));
  let own = dashes < 0 ? [...lines] : lines.slice(0, dashes);
  own = own.filter((line) => !MOBILE.test(line.trim()) && !/^[_-]{10,}$/.test(line.trim()));
  const closing = own.findLastIndex((line) => CLOSING.test(line.trim()));
  const below = own.slice(closing + 1).filter((line) => line.trim() !== "");
  const isSignature = below.length <= CLOSING_LINES && below.every((line) => line.length <= CLOSING_CHARS);
  if (closing > 0 && isSignature && own.slice(0, closing).some((line) => line.trim() !== ""))
    own = own.slice(0, closing);
  return own
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
