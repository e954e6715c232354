/** The texts that a reply may rely on, split into sentences and labelled with who said them (docs/decisions/053). Each is read once. */
import { memoized } from "#server/knowledge/memoize.ts";
import { splitSentences } from "#server/knowledge/sentences.ts";
import { normalize, stemOf } from "#server/language/analyze.ts";
import { FUNCTION_WORDS, wordsOf } from "#server/language/lexicon.ts";
import { phonesIn, type Quantity, quantitiesIn, withoutPhones } from "#server/language/statements/quantities.ts";
import { dayIn, timeIn } from "../prompt/clock.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { SourceFacts } from "../wording/source-facts.ts";
import { daysIn, type NamedDays } from "./days.ts";

/**
 * chunk: documents, the owner's corrections and what he has written about himself; example: past replies; said: what the twin or its
 * owner has said in this conversation; asker: the message and what else its author has said.
 */
export type SourceKind = "chunk" | "example" | "said" | "asker";

export interface SourceSentence {
  kind: SourceKind;
  /** Number of the text that the sentence belongs to; sentences of one text are neighbours. */
  text: number;
  roots: ReadonlySet<string>;
  denies: boolean;
}

export class ReplySources {
  readonly sentences: readonly SourceSentence[];
  readonly #texts: readonly SourceText[];
  readonly #read = new Map<string, Facts>();
  /** What each of the texts states, read once for all kinds together. */
  #stated: readonly Stated[] | undefined;

  constructor(request: ReplyRequest) {
    this.#texts = textsOf(request);
    this.sentences = this.#texts.flatMap(({ kind, text }, at) =>
      sentencesOf(kind, text).map((sentence) => ({ kind, text: at, ...sentence })),
    );
  }

  /** The sources of a request; read once, also when several callers ask. */
  static of(request: ReplyRequest): ReplySources {
    const known = sourcesOf.get(request);
    if (known !== undefined) return known;
    const sources = new ReplySources(request);
    sourcesOf.set(request, sources);
    return sources;
  }

  /** The facts of all sources of these kinds together. */
  facts(...kinds: readonly SourceKind[]): Facts {
    const key = kinds.join();
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    this.#stated ??= this.#texts.map(({ kind, text }) => statedIn(kind, text));
    const stated = this.#stated;
    const among = this.#texts.flatMap(({ kind, text }, at) => (kinds.includes(kind) ? [{ text, ...stated[at]! }] : []));
    const facts = togetherOf(among);
    this.#read.set(key, facts);
    return facts;
  }

  /** Whether the word occurs in any source. */
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

const sourcesOf = new WeakMap<ReplyRequest, ReplySources>();

interface SourceText {
  kind: SourceKind;
  text: string;
}

/**
 * Remembers what was read of documents and of other long texts, because the same ones are used again and again. Past replies are short
 * and many and would displace them.
 */
function readOnce<T>(read: (text: string) => T): (kind: SourceKind, text: string) => T {
  const kept = memoized(1000, read);
  return (kind, text) => (kind !== "chunk" && text.length < 300 ? read(text) : kept(text));
}

const sentencesOf = readOnce((text) =>
  splitSentences(text).map((sentence) => ({ roots: new Set(rootsOf(sentence)), denies: denies(sentence) })),
);

interface Stated {
  quantities: readonly Quantity[];
  phones: readonly string[];
  days: NamedDays;
  roots: readonly string[];
}

const statedIn = readOnce(
  (text): Stated => ({
    quantities: [...quantitiesIn(text), ...partsOfDates(text)],
    phones: phonesIn(text).map(({ digits }) => digits),
    days: daysIn(text, true),
    roots: rootsOf(text),
  }),
);

function togetherOf(all: readonly (Stated & { text: string })[]): Facts {
  const roots = new Set<string>();
  for (const one of all) for (const root of one.roots) roots.add(root);
  return {
    named: new SourceFacts(all.map(({ text }) => text)),
    quantities: all.flatMap(({ quantities }) => quantities),
    phones: new Set(all.flatMap(({ phones }) => phones)),
    days: {
      week: new Set(all.flatMap(({ days }) => [...days.week])),
      months: new Set(all.flatMap(({ days }) => [...days.months])),
      relative: new Set(all.flatMap(({ days }) => [...days.relative])),
    },
    roots,
  };
}

/** Numbers within dates: «10.05.2026» holds 10, 5 and 2026; «9.30» may be half past nine. */
const partsOfDates = (text: string): Quantity[] =>
  [...withoutPhones(text).matchAll(/(?<![\d.,:])\d{1,2}[.:/]\d{1,2}(?:[./]\d{2,4})?(?![\d.:])/g)].flatMap(
    ({ 0: date }) => {
      const parts = date.split(/[./:]/).map(Number);
      const clock = parts.length === 2 && parts[1]! < 60 ? [parts[0]! + parts[1]! / 60] : [];
      return [...parts, ...clock].map((value) => ({ text: date, value, unit: null }));
    },
  );

function textsOf(request: ReplyRequest): SourceText[] {
  const { twin, chunks, replyExamples, exchanges = [], corrected, contactFacts = [], history, message } = request;
  const all: [SourceKind, string | null | undefined][] = [
    ...chunks.map(({ name, heading, text }): [SourceKind, string] => ["chunk", `${name}\n${heading}\n${text}`]),
    ["chunk", corrected?.text],
    ["chunk", [twin.publicName ?? twin.name, twin.description, twin.personality, twin.communicationStyle].join("\n")],
    ["chunk", twin.expertise.join(". ")],
    ...contactFacts.map((text): [SourceKind, string] => ["chunk", text]),
    ["chunk", request.now && `${dayIn(request.now)}, ${timeIn(request.now)}`],
    ...[...replyExamples, ...exchanges].map(({ reply }): [SourceKind, string] => ["example", reply]),
    ...history.map(({ role, content }): [SourceKind, string] => [role === "user" ? "asker" : "said", content]),
    ["asker", message],
    ["asker", request.notes],
    ["asker", request.contactName],
  ];
  return all.flatMap(([kind, text]) => (text ? [{ kind, text }] : []));
}

/** Texts whose addresses and links may be repeated in a reply. */
export const addressSources = (request: ReplyRequest): string[] => [
  ...(request.contactFacts ?? []),
  // «вопросы.md» is the name of a document before it is an address.
  ...request.chunks.flatMap(({ name, text }) => [name, text]),
  ...request.replyExamples.map((replyExample) => replyExample.reply),
  request.twin.description,
  request.corrected?.text ?? "",
  request.message,
];

/** Roots shared by words of one family: «доставка» and «доставляем», «вернём» and «вернут». Function words have none. */
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
