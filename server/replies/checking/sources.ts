/** The texts that a reply may rely on, split into sentences and labelled with who said them (docs/decisions/053). Each is read once. */
import { memoized } from "#server/knowledge/memoize.ts";
import { splitSentences } from "#server/knowledge/sentences.ts";
import { wordsOf } from "#server/language/lexicon.ts";
import { dayIn, timeIn } from "../prompt/clock.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { Facts, StatedText } from "./facts.ts";
import { rootsOf } from "./roots.ts";

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
  readonly #facts = new Map<string, Facts>();
  /** One for each of the texts, for all kinds together. */
  #stated: readonly StatedText[] | undefined;

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
    const known = this.#facts.get(key);
    if (known !== undefined) return known;
    this.#stated ??= this.#texts.map(({ kind, text }) => statedIn(kind, text));
    const facts = new Facts(this.#stated.filter((_, at) => kinds.includes(this.#texts[at]!.kind)));
    this.#facts.set(key, facts);
    return facts;
  }

  /** Whether the word occurs in any source. */
  readonly hasWord = (word: string): boolean => {
    this.#words ??= new Set(this.#texts.flatMap(({ text }) => wordsOf(text)));
    return this.#words.has(word);
  };
  #words: Set<string> | undefined;
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

const statedIn = readOnce((text) => new StatedText(text));

function textsOf(request: ReplyRequest): SourceText[] {
  const { twin, chunks, replyExamples, exchanges = [], corrected, history, message } = request;
  const all: [SourceKind, string | null | undefined][] = [
    ...chunks.map(({ name, heading, text }): [SourceKind, string] => ["chunk", `${name}\n${heading}\n${text}`]),
    ["chunk", corrected?.text],
    ["chunk", [twin.publicName ?? twin.name, twin.description, twin.personality, twin.communicationStyle].join("\n")],
    ["chunk", twin.expertise.join(". ")],
    ["chunk", request.now && `${dayIn(request.now)}, ${timeIn(request.now)}`],
    ...[...replyExamples, ...exchanges].map(({ reply }): [SourceKind, string] => ["example", reply]),
    ...history
      .filter(({ claimed }) => !claimed)
      .map(({ role, content }): [SourceKind, string] => [role === "user" ? "asker" : "said", content]),
    ["asker", message],
    ["asker", request.notes],
    ["asker", request.contactName],
  ];
  return all.flatMap(([kind, text]) => (text ? [{ kind, text }] : []));
}

/** Texts whose addresses and links may be repeated in a reply. */
export const addressSources = (request: ReplyRequest): string[] => [
  // «вопросы.md» is the name of a document before it is an address.
  ...request.chunks.flatMap(({ name, text }) => [name, text]),
  ...request.replyExamples.map((replyExample) => replyExample.reply),
  request.twin.description,
  request.corrected?.text ?? "",
  request.message,
];

const DENIES =
  /(?<!\p{L})(?:не|нет|нельзя|ни|без|никогда|кроме|not|no|never|cannot|don't|doesn't|can't|isn't)(?!\p{L})/iu;
export const denies = (sentence: string): boolean => DENIES.test(sentence);
