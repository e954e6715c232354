/**
 * Parts the author's own text of a letter from the quoted letter, the signature and forwarded parts. Supports plain text of common mail
 * programs, in Russian and in English. A customer's word that is cut out is lost for the answer, while a quotation that stays only makes the
 * message longer; so whatever is not surely somebody else's text or a signature stays.
 */

export interface OwnWords {
  text: string;
  forwarded: boolean;
  /** What was left out, in the letter's order; "" when nothing was. */
  cut: string;
}

interface Line {
  text: string;
  isOwn: boolean;
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
/** Match the four header lines of a letter quoted by Outlook. */
const FROM_LINE = /^\*?(?:from|от(?:\s+кого)?)\s*:\*?\s*\S/iu;
const HEAD_LINE = /^\*?(?:sent|date|to|cc|subject|отправлено|дата|кому|копия|тема)\s*:\*?\s/iu;
/** Header lines that no order form has: «От кого, Кому, Дата» are questions of a flower shop as well. */
const TELLING_HEAD_LINE = /^\*?(?:sent|subject|отправлено|тема)\s*:\*?\s/iu;

const MOBILE =
  /^(?:sent from (?:my |outlook|mail|yandex|yahoo|samsung|proton)|get outlook for|скачать outlook для|отправлено (?:с|со|из) (?:моего |моей |iphone|ipad|android|устройства|телефона|смартфона|планшета|мобильно|яндекс|почты|outlook|mail|samsung|huawei|honor|xiaomi))/iu;
const CLOSING =
  /^(?:с (?:глубоким |большим )?уважением|с наилучшими пожеланиями|всего (?:доброго|наилучшего)|(?:best|kind|warm)(?: kind)? regards|regards|sincerely(?: yours)?|yours sincerely|cheers)[\s,.!]*$/iu;
const POSTSCRIPT = /^(?:p\.? ?p?\.? ?s\b|з\.? ?ы\b|п\.? ?с\.|постскриптум)/iu;
/** Maximum lines of a signature: name, position, telephone, address. */
const SIGNATURE_LINES = 8;
const SIGNATURE_CHARS = 80;
/** A line of a signature below its first paragraph has few words, unless it holds a telephone, an address of mail or of a site. */
const SIGNATURE_WORDS = 3;
const CONTACT = /(?:\d[\s()-]{0,3}){6}|@|\bhttps?:|\bwww\.|\b[a-z\d-]{2,60}\.(?:ru|com|net|org|рф)\b/iu;
const HEAD_CHARS = 300;

/**
 * @param answers whether the letter answers another one (`answersLetter`): a first letter quotes nobody, so «>», «|» and «От кого:» at the
 * beginning of its lines are the author's own
 */
export function ownWords(plain: string, answers: boolean): OwnWords {
  const lines = plain.replace(/\r\n?/g, "\n").replaceAll("\u00a0", " ").split("\n");
  // Only the delimiter of RFC 3676, 4.3 ends with a space.
  const joined = joinHeads(lines.map((line) => (line === "-- " ? line : line.trimEnd())));
  const { parted, forwarded, quoteBegins } = partQuotes(joined, answers);
  // Nothing above a line that only resembles the beginning of a quotation: it is the author's own.
  if (quoteBegins !== null && parted.every(({ text, isOwn }) => !isOwn || text.trim() === "")) {
    for (const line of parted.slice(quoteBegins)) line.isOwn = true;
  }
  partSignature(parted);
  const textOf = (isOwn: boolean) =>
    parted
      .filter((line) => line.isOwn === isOwn)
      .map(({ text }) => text)
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  return { text: textOf(true), forwarded, cut: textOf(false) };
}

const ANSWERING_SUBJECT = /^(?:re|aw|отв|ответ|на)(?:\s*\[\d{1,3}\])?\s*:/iu;

/** Returns whether a letter answers another one: by its headers, or by its subject where a gateway has dropped them. */
export const answersLetter = (references: readonly string[], subject: string): boolean =>
  references.length > 0 || ANSWERING_SUBJECT.test(subject.trim());

/** `quoteBegins`: the place of a line that names whom the unmarked text below it quotes. */
function partQuotes(
  lines: readonly string[],
  answers: boolean,
): { parted: Line[]; forwarded: boolean; quoteBegins: number | null } {
  const parted: Line[] = [];
  const quoted = answers ? quotedLines(lines) : new Set<number>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    const forwards = FORWARDS.test(line);
    if (forwards || (answers && (RULES.test(line) || isLetterHead(lines, at)))) {
      return { parted: [...parted, ...notOwn(lines, at)], forwarded: forwards, quoteBegins: null };
    }
    const isHead = answers && isQuoteHead(line);
    if (isHead && !quoted.has(nextLine(lines, at))) {
      // A quote without marks reaches to the end; under one with marks the author continues.
      return { parted: [...parted, ...notOwn(lines, at)], forwarded: false, quoteBegins: at };
    }
    parted.push({ text: lines[at]!, isOwn: !isHead && !quoted.has(at) });
  }
  return { parted, forwarded: false, quoteBegins: null };
}

const notOwn = (lines: readonly string[], from: number): Line[] =>
  lines.slice(from).map((text) => ({ text, isOwn: false }));

/**
 * Returns the lines with marks of quotation. One line «>100 шт» alone is the author's, and so are rows of a table with «|» that stand under no
 * line that names whom they quote.
 */
function quotedLines(lines: readonly string[]): Set<number> {
  const quoted = new Set<number>();
  const marks = lines.map((line) => /^\s*(?:>|&gt;|\|)/.exec(line)?.[0].trim() ?? "");
  for (let from = 0; from < lines.length; from++) {
    if (marks[from] === "") continue;
    const mark = marks[from] === "|" ? "|" : ">";
    let to = from;
    while (to + 1 < lines.length && marks[to + 1] !== "" && (marks[to + 1] === "|") === (mark === "|")) to++;
    let above = from - 1;
    while (above >= 0 && lines[above]!.trim() === "") above--;
    const isNamed = above >= 0 && isQuoteHead(lines[above]!.trim());
    const isUsual = mark === ">" && (to > from || /^\s*(?:>|&gt;)(?:\s|>|&gt;|$)/.test(lines[from]!));
    if (isNamed || isUsual) for (let at = from; at <= to; at++) quoted.add(at);
    from = to;
  }
  return quoted;
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

/** Returns the place of the next line that is not empty. */
function nextLine(lines: readonly string[], at: number): number {
  let next = at + 1;
  while (next < lines.length && lines[next]!.trim() === "") next++;
  return next;
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

/**
 * Returns whether the lines are a letter's header «From: … Sent: … To: … Subject: …», with or without a separator above. An order «От кого,
 * Кому, Дата, Адрес» has two such lines too, but neither a subject nor an address of mail.
 */
function isLetterHead(lines: readonly string[], at: number): boolean {
  const first = lines[at]!.trim();
  if (!FROM_LINE.test(first)) return false;
  const below = lines.slice(at + 1, at + 8).filter((line) => HEAD_LINE.test(line.trim()));
  return below.length >= 2 && (first.includes("@") || below.some((line) => TELLING_HEAD_LINE.test(line.trim())));
}

/** Marks the lines of the signature, below the last delimiter or closing, as not the author's message. */
function partSignature(lines: Line[]): void {
  for (const line of lines) {
    if (line.isOwn && (MOBILE.test(line.text.trim()) || /^[_-]{10,}$/.test(line.text.trim()))) line.isOwn = false;
  }
  const delimiter = lines.findLastIndex(({ text, isOwn }) => isOwn && /^--\s*$/.test(text));
  if (delimiter >= 0) {
    const below = lines.slice(delimiter).filter(({ isOwn }) => isOwn);
    const length = below[0]!.text === "-- " ? 2 * SIGNATURE_LINES : SIGNATURE_LINES;
    const written = below.slice(1).filter(({ text }) => text.trim() !== "");
    const isStandard = below[0]!.text === "-- ";
    const isSigned = isStandard || written.some(({ text }) => CONTACT.test(text));
    if (isSigned && written.length <= length && written.every(({ text }) => mayBeSigned(text))) {
      for (const line of below) line.isOwn = false;
    }
  }
  partClosing(lines);
}

/**
 * «С уважением» and the name under it, then the paragraphs below that hold only contacts. What else stands there, such as «P.S. …», was
 * written for the reader.
 */
function partClosing(lines: Line[]): void {
  const closing = lines.findLastIndex(({ text, isOwn }) => isOwn && CLOSING.test(text.trim()));
  if (closing <= 0 || !lines.slice(0, closing).some(({ text, isOwn }) => isOwn && text.trim() !== "")) return;
  const paragraphs = paragraphsOf(lines.slice(closing + 1).filter(({ isOwn }) => isOwn));
  // An empty line may stand between the closing and the name.
  const [named, ...further] = paragraphs;
  if (named !== undefined && !(named.length <= SIGNATURE_LINES && named.every(({ text }) => mayBeSigned(text)))) return;
  for (const line of [lines[closing]!, ...(named ?? [])]) line.isOwn = false;
  for (const paragraph of further) {
    if (paragraph.length <= SIGNATURE_LINES && paragraph.every(({ text }) => isContact(text))) {
      for (const line of paragraph) line.isOwn = false;
    }
  }
}

function paragraphsOf(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)!.push(line);
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** Whether a line can stand in a signature: a question, a postscript or a long sentence cannot. */
const mayBeSigned = (line: string): boolean =>
  line.length <= SIGNATURE_CHARS && !/[?？]\s*$/.test(line) && !POSTSCRIPT.test(line.trim()) && !isSentence(line);

/** Whether a line ends like a sentence and has as many words as one, and no telephone or address. */
const isSentence = (line: string): boolean =>
  /[\p{L})»"][.!…]\s*$/u.test(line) &&
  wordsIn(line) > SIGNATURE_WORDS &&
  !CONTACT.test(line) &&
  !/\p{L}\.\s/u.test(line);

const isContact = (line: string): boolean => mayBeSigned(line) && CONTACT.test(line);

const wordsIn = (line: string): number => line.trim().split(/\s+/).length;
