/**
 * Fixed sentences of the server in the language of the page: answers hold them in Russian. What people have written themselves stays as it is,
 * so in an answer that is no refusal only fields are looked at that the server fills.
 */

import { formatNumber } from "#web/i18n/format.ts";

interface Template {
  /** What stands between the places. */
  pieces: readonly string[];
  translated: string;
}

/** Longer texts are never fixed sentences. */
const MAX_SENTENCE = 500;
const PLACE = /\{\d+\}/;
/** A place may hold a sentence with places, and this one such again: «ждут 2, старшее ждёт 3 мин». */
const NESTED = 2;
/** As a Russian answer has it. */
const DECIMAL = /^\d+,\d+$/;
/** Fields that the server words. */
const WORDED =
  /^(message|reason|error|failure|trouble|summary|detail|hint|obstacle|status|state|label|features|limits|description|title|greeting|disclosure)$/;
/** Of these a person may be the author as well: only a whole sentence of the server is taken for one. */
const MAY_BE_OWN = /^(description|title|greeting)$/;
/** Answers about the server itself, and journals of what has happened, are worded by the server. */
const ALL_WORDED = /\/(health|events|activity\/recent|audit|notices|sessions|admin\/models|model)(\?|$)/;
/** Names of twins, people and documents, which such an answer holds too («twinName»); a bare «name» is that of a check or a queue. */
const NAME = /[a-z]Name$/;

let table: Promise<{ whole: ReadonlyMap<string, string>; templates: readonly Template[] }> | undefined;

async function load() {
  const { sentences } = await import("#web/i18n/server-sentences.ts");
  const entries = Object.entries(sentences);
  return {
    whole: new Map(entries),
    templates: entries
      .filter(([text]) => PLACE.test(text))
      .map(([text, translated]) => ({ pieces: text.split(PLACE), translated }))
      // «занято {0} из {1}» says more than «{0} из {1}», which it holds.
      .sort((one, other) => other.pieces.join("").length - one.pieces.join("").length),
  };
}

/**
 * The body of an answer with the server's sentences translated.
 * @param refused whether the server has refused: then every text of the body is its own
 */
export async function translateAnswer(body: string, url: string, refused = false): Promise<string> {
  if (!isRussian(body)) return body;
  table ??= load();
  const { whole, templates } = await table;
  const free = refused || ALL_WORDED.test(url);

  const known = (text: string): string | undefined =>
    whole.get(text) ?? whole.get(`${text}.`)?.slice(0, -1) ?? whole.get(text.replace(/\.$/, ""))?.concat(".");

  const sentence = (text: string, templatesDeep: number): string => {
    if (DECIMAL.test(text)) return formatNumber(Number(text.replace(",", ".")));
    if (text.length > MAX_SENTENCE || !isRussian(text)) return text;
    const said = known(plain(text));
    if (said !== undefined) return said;
    for (const template of templatesDeep > 0 ? templates : []) {
      const values = valuesOf(plain(text), template.pieces);
      if (values)
        return template.translated.replace(/\{(\d+)\}/g, (_place, place) => {
          const value = values[place] ?? "";
          return isQuoted(template.pieces, Number(place)) ? value : sentence(value, templatesDeep - 1);
        });
    }
    return free ? inPieces(text) : text;
  };
  /** Sentences one after another, words in a row: translated where all of them are known. */
  const inPieces = (text: string): string => {
    const between = [". ", ", ", " ("].find((sign) => text.includes(sign));
    if (between === undefined) return text;
    const pieces = text.split(between).map((piece) => sentence(piece, 1));
    return pieces.some(isRussian) ? text : pieces.join(between);
  };
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === "string" && NAME.test(key)) return value;
    if (typeof value === "string")
      return free || WORDED.test(key) ? sentence(value, free || !MAY_BE_OWN.test(key) ? 1 + NESTED : 0) : value;
    if (Array.isArray(value)) return value.map((each) => walk(each, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)]));
  };
  try {
    return JSON.stringify(walk(JSON.parse(body), ""));
  } catch {
    return body;
  }
}

const isRussian = (text: string) => /[а-яё]/i.test(text);

/** As a catalogue has it. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

/** What a sentence quotes («{0}») is user-written: the name of a twin or a document, a question. */
const isQuoted = (pieces: readonly string[], place: number) =>
  pieces[place]?.endsWith("«") === true && pieces[place + 1]?.startsWith("»") === true;

/** What stands in the places of a template; null when the text is not one of it. */
export function valuesOf(text: string, pieces: readonly string[]): string[] | null {
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) continue;
    const next = index === pieces.length - 1 ? text.length - last.length : text.indexOf(piece, at);
    if (next < at) return null;
    values.push(text.slice(at, next));
    at = next + piece.length;
  }
  return values;
}
