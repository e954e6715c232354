/** The texts that may support a reply, split into sentences and labelled by their author (docs/decisions/026-answer-verification.md). */

import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { wordsOfSelf } from "#server/knowledge/style/self/visible-self.ts";
import { memoize } from "#server/platform/text/memoize.ts";
import { dayIn, timeIn } from "../prompt/clock.ts";
import type { AccompanyingChunks, ReplyRequest } from "../reply-request.ts";
import { HeldAmounts } from "./amounts/held-amounts.ts";
import { type SourceAmount, sourceAmountsIn } from "./amounts/source-amounts.ts";
import { Facts, StatedText } from "./facts.ts";
import { rootsOf } from "./roots.ts";

/**
 * chunk: documents, corrections and the owner's description of himself; example: past replies; said: what the twin or owner wrote in this
 * conversation; asker: the message and its author's earlier ones.
 */
export type SourceKind = "chunk" | "example" | "said" | "asker";

export interface SourceSentence {
  kind: SourceKind;
  /** Index of the sentence's text; sentences of one text are adjacent. */
  text: number;
  roots: ReadonlySet<string>;
  denies: boolean;
}

export class ReplySources {
  readonly sentences: readonly SourceSentence[];
  readonly #texts: readonly SourceText[];
  readonly #facts = new Map<string, Facts>();
  #stated: readonly StatedText[] | undefined;

  constructor(request: ReplyRequest) {
    this.#texts = textsOf(request);
    this.sentences = this.#texts.flatMap(({ kind, text }, at) =>
      sentencesOf(kind, text).map((sentence) => ({ kind, text: at, ...sentence })),
    );
  }

  /** Returns the cached sources of a request, because several callers need them. */
  static of(request: ReplyRequest): ReplySources {
    const known = sourcesOf.get(request);
    const looked = (request.secondLook?.chunks.length ?? 0) + (request.tools?.results.length ?? 0);
    if (known?.looked === looked) return known.sources;
    const sources = new ReplySources(request);
    sourcesOf.set(request, { sources, looked });
    return sources;
  }

  facts(...kinds: readonly SourceKind[]): Facts {
    const key = kinds.join();
    const known = this.#facts.get(key);
    if (known !== undefined) return known;
    this.#stated ??= this.#texts.map(({ kind, text }) => statedIn(kind, text));
    const facts = new Facts(this.#stated.filter((_, at) => kinds.includes(this.#texts[at]!.kind)));
    this.#facts.set(key, facts);
    return facts;
  }

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

  readonly hasWord = (word: string): boolean => {
    this.#words ??= new Set(this.#texts.flatMap(({ text }) => wordsOf(text)));
    return this.#words.has(word);
  };
  #words: Set<string> | undefined;
}

/** With the number of chunks that a second look had found and tools had answered. */
const sourcesOf = new WeakMap<ReplyRequest, { sources: ReplySources; looked: number }>();

interface SourceText {
  kind: SourceKind;
  text: string;
  /** Title of the text, or the question that it answers. */
  about: string;
  body: string;
}

/**
 * Caches the analysis of documents and other long texts, which are used repeatedly. Past replies are short and many and would evict them.
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
  const { twin, replyExamples, exchanges = [], corrected, history, message } = request;
  const chunks = readableChunks(request);
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
      [
        ...[twin.publicName ?? twin.name, twin.description, twin.personality, twin.communicationStyle],
        ...wordsOfSelf(request.self),
      ].join("\n"),
    ),
    ...plain("chunk", twin.expertise.join(". ")),
    ...plain("chunk", request.now && `${dayIn(request.now)}, ${timeIn(request.now)}`),
    ...[...replyExamples, ...exchanges].flatMap(({ incoming, reply }) => plain("example", reply, incoming)),
    ...history.flatMap(({ role, content, claimed }, at) => {
      // A calling program merely claims that the twin wrote this, so it is no source.
      if (claimed) return [];
      return role === "user" ? plain("asker", content) : plain("said", content, history[at - 1]?.content);
    }),
    ...plain("asker", message),
    ...plain("asker", request.notes),
    ...plain("asker", request.contactName),
  ];
}

const NOTHING_BESIDE: AccompanyingChunks = { standing: [], neighbours: [] };

/** The chunks that were found, and whatever else a capable model was shown; what tools have answered. */
export function readableChunks({
  chunks,
  everything = [],
  accompanying = NOTHING_BESIDE,
  secondLook,
  tools,
}: ReplyRequest): readonly ReplyChunk[] {
  const found = new Set(chunks.map(({ id }) => id));
  const besides = [...everything, ...accompanying.standing, ...accompanying.neighbours, ...(secondLook?.chunks ?? [])];
  besides.push(...(tools?.results ?? []));
  return [...chunks, ...besides.filter(({ id }) => !found.has(id) && found.add(id))];
}

/** Texts whose addresses and links a reply may repeat. */
export const addressSources = (request: ReplyRequest): string[] => [
  // The name comes first: «вопросы.md» is a document before it is an address.
  ...readableChunks(request).flatMap(({ name, text }) => [name, text]),
  ...request.replyExamples.map((replyExample) => replyExample.reply),
  request.twin.description,
  request.corrected?.text ?? "",
  request.message,
  // Worded by code: the address that the asker gave earlier is what he confirms.
  request.tools?.script?.text ?? "",
];

const DENIES =
  /(?<!\p{L})(?:не|нет|нельзя|ни|без|никогда|кроме|not|no|never|cannot|don't|doesn't|can't|isn't)(?!\p{L})/iu;
export const denies = (sentence: string): boolean => DENIES.test(sentence);
