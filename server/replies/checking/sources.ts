/** What a reply may lean on, read once: who said it, sentence by sentence (docs/decisions/053). */
import { splitSentences } from "#server/knowledge/sentences.ts";
import { normalize, stemOf } from "#server/language/analyze.ts";
import { FUNCTION_WORDS, wordsOf } from "#server/language/lexicon.ts";
import type { ReplyRequest } from "../generators/generator.ts";
import { SourceFacts } from "../wording/source-facts.ts";
import { daysIn, type NamedDays } from "./days.ts";
import { phonesIn, type Quantity, quantitiesIn, withoutPhones } from "./quantities.ts";

/**
 * passage: documents, what the owner has taught and what he has written of himself; example: past replies; said: what the twin or its owner
 * has said in this talk; asker: the message and what else its author has said.
 */
export type SourceKind = "passage" | "example" | "said" | "asker";

export interface SourceSentence {
  kind: SourceKind;
  /** Of one text; sentences of the same text stand side by side. */
  text: number;
  roots: ReadonlySet<string>;
  denies: boolean;
}

export class ReplySources {
  readonly sentences: readonly SourceSentence[];
  readonly #texts: readonly { kind: SourceKind; text: string }[];
  readonly #read = new Map<string, Facts>();

  constructor(request: ReplyRequest) {
    this.#texts = textsOf(request);
    this.sentences = this.#texts.flatMap(({ kind, text }, at) =>
      splitSentences(text).map((sentence) => ({
        kind,
        text: at,
        roots: new Set(rootsOf(sentence)),
        denies: denies(sentence),
      })),
    );
  }

  /** Those of these kinds, together. */
  facts(...kinds: readonly SourceKind[]): Facts {
    const key = kinds.join();
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const facts = readFacts(this.#texts.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text));
    this.#read.set(key, facts);
    return facts;
  }

  /** Whether a word stands in any of them. */
  readonly hasWord = (word: string): boolean => {
    this.#words ??= new Set(this.#texts.flatMap(({ text }) => wordsOf(text)));
    return this.#words.has(word);
  };
  #words: Set<string> | undefined;
}

export interface Facts {
  named: SourceFacts;
  quantities: readonly Quantity[];
  phones: ReadonlySet<string>;
  days: NamedDays;
  roots: ReadonlySet<string>;
}

function readFacts(texts: readonly string[]): Facts {
  const joined = texts.join("\n");
  return {
    named: new SourceFacts(texts),
    quantities: [...quantitiesIn(joined), ...partsOfDates(joined)],
    phones: new Set(phonesIn(joined).map(({ digits }) => digits)),
    days: daysIn(joined, true),
    roots: new Set(rootsOf(joined)),
  };
}

/** «10.05.2026» holds 10, 5 and 2026; «9.30» may be half past nine. */
const partsOfDates = (text: string): Quantity[] =>
  [...withoutPhones(text).matchAll(/(?<![\d.,:])\d{1,2}[.:/]\d{1,2}(?:[./]\d{2,4})?(?![\d.:])/g)].flatMap(
    ({ 0: date }) => {
      const parts = date.split(/[./:]/).map(Number);
      const clock = parts.length === 2 && parts[1]! < 60 ? [parts[0]! + parts[1]! / 60] : [];
      return [...parts, ...clock].map((value) => ({ text: date, value, unit: null }));
    },
  );

function textsOf(request: ReplyRequest): { kind: SourceKind; text: string }[] {
  const { twin, passages, exemplars, exchanges = [], corrected, contactFacts = [], history, message } = request;
  const all: [SourceKind, string | null | undefined][] = [
    ...passages.map(({ name, heading, text }): [SourceKind, string] => ["passage", `${name}\n${heading}\n${text}`]),
    ["passage", corrected?.text],
    ["passage", [twin.publicName ?? twin.name, twin.description, twin.personality, twin.communicationStyle].join("\n")],
    ["passage", twin.expertise.join(". ")],
    ...contactFacts.map((text): [SourceKind, string] => ["passage", text]),
    ["passage", request.now && todayIn(request.now)],
    ...[...exemplars, ...exchanges].map(({ reply }): [SourceKind, string] => ["example", reply]),
    ...history.map(({ role, content }): [SourceKind, string] => [role === "user" ? "asker" : "said", content]),
    ["asker", message],
    ["asker", request.notes],
    ["asker", request.contactName],
  ];
  return all.flatMap(([kind, text]) => (text ? [{ kind, text }] : []));
}

/** Texts whose addresses may be said again. */
export const addressSources = (request: ReplyRequest): string[] => [
  ...(request.contactFacts ?? []),
  // «вопросы.md» is a document's name before it is an address.
  ...request.passages.flatMap(({ name, text }) => [name, text]),
  ...request.exemplars.map((exemplar) => exemplar.reply),
  request.twin.description,
  request.corrected?.text ?? "",
  request.message,
];

/** «понедельник, 23 ноября 2026 г., 14:05» */
export function todayIn({ at, timeZone }: NonNullable<ReplyRequest["now"]>): string {
  const day = new Intl.DateTimeFormat("ru-RU", { timeZone, dateStyle: "full" }).format(at);
  const time = new Intl.DateTimeFormat("ru-RU", { timeZone, timeStyle: "short" }).format(at);
  return `${day}, ${time}`;
}

/** What words of one family share: «доставка» and «доставляем», «вернём» and «вернут». Words of grammar have none. */
export const rootsOf = (text: string): string[] =>
  wordsOf(normalize(text)).flatMap((word) => {
    if (FUNCTION_WORDS.has(word) || (word.length < 3 && !/\d/.test(word))) return [];
    return [rootOf(word)];
  });

const ROOT = 5;
export function rootOf(word: string): string {
  const stem = stemOf(word);
  return stem.length > ROOT && !/\d/.test(stem) ? stem.slice(0, ROOT) : stem;
}

const DENIES =
  /(?<!\p{L})(?:не|нет|нельзя|ни|без|никогда|кроме|not|no|never|cannot|don't|doesn't|can't|isn't)(?!\p{L})/iu;
export const denies = (sentence: string): boolean => DENIES.test(sentence);
