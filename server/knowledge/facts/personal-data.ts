/** Finds personal data in a text: names, phones, addresses, document numbers. Linear in the text. */

import { createVault, redact } from "#server/knowledge/language/redact.ts";
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";

export const MASKS = ["[имя]", "[телефон]", "[почта]", "[адрес]", "[номер]"] as const;
type Mask = (typeof MASKS)[number];

interface PersonalSpan {
  /** In UTF-16 units; `end` is exclusive. */
  start: number;
  end: number;
  mask: Mask;
}

interface Names {
  occurIn(word: string): boolean;
}

const STREET = String.raw`(?:ул(?:иц[аеуы](?!\p{L})|\.|(?!\p{L}))|пр(?:оспект\p{L}{0,3}|-т|\.)|пер(?:еул\p{L}{1,5}|\.)|шоссе|наб(?:ережн\p{L}{1,4}|\.)|бульвар\p{L}{0,3}|проезд\p{L}{0,3}|площад\p{L}{1,3})`;
const HOUSE = String.raw`(?:д(?:ом|\.)?\s?)?\d{1,4}(?:[/\\-]\d{1,3})?\p{L}?(?!\p{L})`;
const ADDRESS = new RegExp(
  [
    String.raw`(?<!\p{L})${STREET}\s?(?:[\p{L}\d][\p{L}\d-]{1,30}[ ,]{1,2}){1,3}${HOUSE}`,
    String.raw`(?<!\p{L})\p{Lu}[\p{L}-]{2,30}\s${STREET}[ ,]{1,2}${HOUSE}`,
    String.raw`(?<!\p{L})(?:кв(?:артир[аеуы])?|подъезд[ае]?|домофон[ае]?)[. ]{1,2}\d{1,5}`,
  ].join("|"),
  "giu",
);
/** An address without a word for street: «на Ленина 5». */
const BARE_ADDRESS =
  /(?<=(?<!\p{L})(?:на|по|до|с)\s)\p{Lu}[\p{Ll}-]{2,30}(?:\s\p{Lu}[\p{Ll}-]{2,30})?,?\s\d{1,4}(?!\d)(?!\s?(?:₽|%|р|кг|шт|мин|час|дн))/gu;
const WORD = /\p{L}{2,40}/gu;

const MASK_OF: Record<string, Mask> = { PHONE: "[телефон]", EMAIL: "[почта]" };

export const addressesIn = (text: string): string[] => text.match(ADDRESS) ?? [];

function numbersOfPeople(text: string): { value: string; kind: string }[] {
  const vault = createVault();
  redact(text, vault);
  return Object.entries(vault.values).map(([placeholder, value]) => ({
    value,
    kind: /^\[([A-Z]{1,10})_/.exec(placeholder)?.[1] ?? "",
  }));
}

/** In the order of the text, without overlaps. @param addresses false: addresses are not personal here */
export function personalSpans(text: string, names: Names, { addresses = true } = {}): PersonalSpan[] {
  const spans: PersonalSpan[] = [];
  for (const { value, kind } of numbersOfPeople(text)) {
    const mask = MASK_OF[kind] ?? "[номер]";
    for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
      spans.push({ start, end: start + value.length, mask });
  }
  if (addresses) {
    for (const { index, 0: found } of [...text.matchAll(ADDRESS), ...text.matchAll(BARE_ADDRESS)])
      spans.push({ start: index, end: index + found.length, mask: "[адрес]" });
  }
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const capital = word[0] !== word[0]!.toLowerCase();
    const plain = word.toLowerCase().replaceAll("ё", "е");
    // «Роза» at the start of a sentence may be a flower, and «роза» always is, whatever a contact's name.
    const surely = capital && !startsSentence(text, index);
    if (isFirstName(plain, surely) || (capital && names.occurIn(word)))
      spans.push({ start: index, end: index + word.length, mask: "[имя]" });
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const apart: PersonalSpan[] = [];
  for (const span of spans) if (span.start >= (apart.at(-1)?.end ?? 0)) apart.push(span);
  return apart;
}

const startsSentence = (text: string, at: number) =>
  at === 0 || /[.!?…\n]\s{0,3}$/u.test(text.slice(Math.max(0, at - 4), at));

export function masked(text: string, spans: readonly PersonalSpan[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, mask } of spans) {
    result += text.slice(from, start) + mask;
    from = end;
  }
  return result + text.slice(from);
}
