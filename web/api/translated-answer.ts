/**
 * Translates the server's fixed Russian sentences into the language of the page. Text written by people stays as it is, so in a
 * successful response only fields that the server words are translated.
 */

import { formatNumber } from "#web/i18n/format.ts";

interface Template {
  pieces: readonly string[];
  translated: string;
}

/** Longer texts are never fixed sentences. */
const MAX_SENTENCE = 500;
const PLACE = /\{\d+\}/;
/** Depth of translation: a placeholder may hold a sentence with placeholders of its own, as in «ждут 2, старшее ждёт 3 мин». */
const NESTED = 2;
/** A decimal number with the Russian comma. */
const DECIMAL = /^\d+,\d+$/;
/** Fields whose text the server words. */
const WORDED =
  /^(message|reason|error|failure|trouble|summary|detail|hint|obstacle|status|state|label|features|limits|description|title|greeting|disclosure)$/;
/** Fields that people may also write: only a complete sentence of the server is translated there. */
const MAY_BE_OWN = /^(description|title|greeting)$/;
/** Responses about the server itself, and logs, whose texts are all worded by the server. */
const ALL_WORDED = /\/(health|events|activity\/recent|audit|notices|sessions|admin\/models|model)(\?|$)/;
/**
 * Field names such as «twinName» hold names of twins, people and documents even in such responses. A bare «name» belongs to a check or a
 * queue.
 */
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
      // Longer templates come first, because «занято {0} из {1}» contains the shorter «{0} из {1}».
      .sort((one, other) => other.pieces.join("").length - one.pieces.join("").length),
  };
}

/**
 * Returns the body of a response with the server's sentences translated.
 * @param refused whether the response is an error, so that the server words every text of the body
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
  /** Translates a sequence of sentences or words, if all of them are known. */
  const inPieces = (text: string): string => {
    const between = [". ", ", ", " ("].find((sign) => text.includes(sign));
    if (between === undefined) return text;
    const at = text.indexOf(between);
    // What follows may be one text of several sentences.
    const pieces = [text.slice(0, at), text.slice(at + between.length)].map((piece) => sentence(piece, 1));
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

/** Replaces non-breaking spaces, which the catalogue does not contain. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

/** Whether a placeholder stands in quotation marks («{0}») and so holds user-written text: a name or a question. */
const isQuoted = (pieces: readonly string[], place: number) =>
  pieces[place]?.endsWith("«") === true && pieces[place + 1]?.startsWith("»") === true;

/** Returns the values of a template's placeholders; null when the text does not match the template. */
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
