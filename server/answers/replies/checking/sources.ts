/** The texts that a reply may rely on, split into sentences and labelled with who said them (docs/decisions/026-answer-verification.md). Each is read once. */

import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { memoize } from "#server/platform/text/memoize.ts";
import { dayIn, timeIn } from "../prompt/clock.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { HeldAmounts } from "./amounts/held-amounts.ts";
import { type SourceAmount, sourceAmountsIn } from "./amounts/source-amounts.ts";
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

  /** The amounts that all sources of these kinds state. */
  amounts(...kinds: readonly SourceKind[]): HeldAmounts {
    const key = kinds.join();
    const known = this.#amounts.get(key);
    if (known !== undefined) return known;
    this.#stating ??= this.#texts.map(statedAmounts);
    const amounts = new HeldAmounts(this.#stating.filter((_, at) => kinds.includes(this.#texts[at]!.kind)).flat());
    this.#amounts.set(key, amounts);
    return amounts;
  }
  readonly #amounts = new Map<string, HeldAmounts>();
  #stating: readonly (readonly SourceAmount[])[] | undefined;

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
  /** With the title. */
  text: string;
  /** The title of the text, or the question that it answers. */
  about: string;
  /** The text without its title. */
  body: string;
}

/**
 * Remembers what was read of documents and of other long texts, because the same ones are used again and again. Past replies are short
 * and many and would displace them.
 */
function readOnce<T>(read: (text: string) => T): (kind: SourceKind, text: string) => T {
  const kept = memoize(1000, read);
  return (kind, text) => (kind !== "chunk" && text.length < 300 ? read(text) : kept(text));
}

const sentencesOf = readOnce((text) =>
  splitSentences(text).map((sentence) => ({ roots: new Set(rootsOf(sentence)), denies: denies(sentence) })),
);

const statedIn = readOnce((text) => new StatedText(text));

const amountsOnce = memoize(1000, (text: string): SourceAmount[] => {
  const [about = "", ...body] = text.split("\0");
  return [...sourceAmountsIn(about, ""), ...sourceAmountsIn(body.join("\0"), about)];
});
const statedAmounts = ({ kind, about, body }: SourceText): SourceAmount[] =>
  kind === "asker" ? sourceAmountsIn(body, about) : amountsOnce(`${about.replaceAll("\0", " ")}\0${body}`);

function textsOf(request: ReplyRequest): SourceText[] {
  const { twin, chunks, replyExamples, exchanges = [], corrected, history, message } = request;
  const plain = (kind: SourceKind, text: string | null | undefined, about: string | null = ""): SourceText[] =>
    text ? [{ kind, text, about: about ?? "", body: text }] : [];
  return [
    ...chunks.map(({ name, heading, text }): SourceText => {
      const about = `${name}\n${heading}`;
      return { kind: "chunk", text: `${about}\n${text}`, about, body: text };
    }),
    ...plain("chunk", corrected?.text, corrected?.question ?? message),
    ...plain(
      "chunk",
      [twin.publicName ?? twin.name, twin.description, twin.personality, twin.communicationStyle].join("\n"),
    ),
    ...plain("chunk", twin.expertise.join(". ")),
    ...plain("chunk", request.now && `${dayIn(request.now)}, ${timeIn(request.now)}`),
    ...[...replyExamples, ...exchanges].flatMap(({ incoming, reply }) => plain("example", reply, incoming)),
    ...history.flatMap(({ role, content, claimed }, at) => {
      // Only the calling program says that the twin has said it.
      if (claimed) return [];
      return role === "user" ? plain("asker", content) : plain("said", content, history[at - 1]?.content);
    }),
    ...plain("asker", message),
    ...plain("asker", request.notes),
    ...plain("asker", request.contactName),
  ];
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
