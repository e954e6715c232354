/** The one entry: a twin answers a message. Reading (in a transaction) is parted from generating (in none). */

import type { Reply } from "#contract/conversations.ts";
import type { StyleRule } from "#contract/corrections.ts";
import { OwnersStyle } from "#contract/quality.ts";
import { type LearntRow, learntFor } from "#server/corrections/learnt.ts";
import { nearLessons } from "#server/corrections/near-lessons.ts";
import { upstream } from "#server/errors.ts";
import type { Address } from "#server/language/address.ts";
import { normalize, stemOf } from "#server/language/analyze.ts";
import { followUpOf, joined } from "#server/language/contextual-query.ts";
import type { HistoryTurn } from "#server/language/history-turn.ts";
import { wantOf } from "#server/language/question.ts";
import {
  contentWords,
  type FollowUp,
  type QuestionPart,
  questionParts,
  spelled,
} from "#server/language/question-parts.ts";
import { relatedStems } from "#server/language/synonyms.ts";
import { outputGuard } from "#server/output-guard/guard-output.ts";
import { pieceSimilarities } from "#server/search/meaning/learn-pieces.ts";
import type { Meaning } from "#server/search/meaning/meanings.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import type { ExemplarContent, OpenContent } from "#server/search/twin-hits.ts";
import type { ExemplarHit, OpenHit, PassageHit, TwinIndex } from "#server/search/twin-index.ts";
import type { Audience } from "#server/search/twin-units.ts";
import { seededRandom } from "#server/seeded-random.ts";
import { sentenceLimit } from "#server/style/manner.ts";
import { sharedStyle } from "#server/style/shared-style.ts";
import { groupFor } from "#server/style/style-for.ts";
import { publicNameOf } from "#server/twins/public-name.ts";
import { numberOf, ownThing } from "./ask-back.ts";
import { addressSources } from "./checking/sources.ts";
import { decide, planAfter, THRESHOLDS } from "./decide.ts";
import type { Generator, ReplyEvidence, ReplyExemplar, ReplyRequest } from "./generators/generator.ts";
import type { AnsweringTwin } from "./open-twin.ts";
import { bearsAmounts } from "./reading/amounts.ts";
import { answerByMeaning, surestFirst } from "./reading/answer-by-meaning.ts";
import { type FoundAnswer, findAnswer } from "./reading/find-answer.ts";
import { quotationOf, recordOf } from "./reading/quotation.ts";
import { nearestPiece, quotationByMeaning } from "./reading/quotation-by-meaning.ts";
import { findAsides } from "./wording/asides.ts";

const PASSAGES = 4;
/** A model reads them itself: what is less like the question costs it little. */
const PASSAGES_FOR_MODEL = 6;
/** Where the owner keeps no hours. */
const TIME_ZONE = "Europe/Moscow";
/** Passages looked through for the answer, for each question of a message. */
const CANDIDATES = 8;
const EXEMPLARS = 6;
/** Of the best passage's score: a weaker one is no source of the answer. */
const SOURCE_SHARE = 0.5;
const SHOWN_EXEMPLARS = 3;
/** Below what is stated as an answer. */
const OF_OTHER_AMOUNTS = THRESHOLDS.knowledge - 0.05;

export interface IncomingMessage {
  /** As `openTwin` gives them, in this transaction. */
  twin: AnsweringTwin;
  index: TwinIndex;
  message: string;
  /** Of this conversation, oldest first, without `message`. */
  history: HistoryTurn[];
  audience: Audience;
  /** Of what `standaloneQuestion` makes of the message, asked for before this transaction; null: not known. */
  meaning: Meaning | null;
  /** See `ReplyRequest.notes`. */
  notes?: string;
  /** Of the contact who writes: the owner's notes, how he orders to speak and is used to write to them. Never given for another's message. */
  contact?: { facts: readonly string[]; address: Address | null; styleGroup: string | null; name?: string };
  /** IANA, of the owner's hours; absent: Moscow's. */
  timeZone?: string | undefined;
  /** As `openTwin` or `readLearnt` gives them for this audience; those of a kind that the answer shall not know are left out. */
  learnt: readonly LearntRow[];
  /** Of conversation and message. */
  seed: string;
  /** Which one will answer: each reads what the other does not need. */
  generator: Generator["name"];
}

/** What an answer stood on; goes out with it and is stored beside it. */
export type Grounds = Pick<Reply, "sources" | "exemplars" | "confidence" | "basis" | "reason">;

/** Gathers everything that this audience may see and decides how to answer. */
export async function prepareReply(incoming: IncomingMessage): Promise<ReplyRequest> {
  const { twin, index, message, history, audience, notes, contact, seed, generator } = incoming;
  const { meaning } = incoming;
  const near = meaning === null ? NOTHING_NEAR : await nearLessons(index.tx, incoming.learnt, meaning);
  const learnt = learntFor(incoming.learnt, { audience, message, history, near });
  const address = contact?.address ?? addressRule(learnt.rules);
  const known = styleOf(twin);
  const style = known === null || audience.kind === "owner" ? known : sharedStyle(known);
  const group = style === null ? null : groupFor(style, { ...contact, address, message, history });
  const profile = group?.profile ?? style;
  const before = followUpOf(history, message);
  const parts = questionParts(message, before);
  const { found, exemplars } = await search(index, { audience, message, before, parts, meaning });
  const pieces =
    meaning === null
      ? NO_PIECES
      : await pieceSimilarities(
          index.tx,
          found.map(({ id }) => id),
          meaning,
        );
  const { passages, answer, quotation } = await answerFrom(index, found, {
    pieces,
    audience,
    message,
    before,
    parts,
    taught: learnt.passages,
    limit: sentenceLimit(profile, learnt.rules),
  });
  const asksFor = await missingNumber(index, audience, message);
  const evidence: ReplyEvidence = {
    twin: {
      name: twin.name,
      publicName: publicNameOf(twin),
      description: twin.description,
      personality: twin.personality,
      communicationStyle: twin.communicationStyle,
      expertise: twin.expertise,
    },
    profile,
    groupManner: group !== null,
    message,
    history,
    ...(notes === undefined ? {} : { notes }),
    ...(contact === undefined ? {} : { contactFacts: contact.facts }),
    ...(contact?.name === undefined ? {} : { contactName: contact.name }),
    now: { at: new Date(), timeZone: incoming.timeZone ?? TIME_ZONE },
    address,
    corrected: learnt.corrected,
    rules: learnt.rules,
    passages: passages.slice(0, generator === "llm" ? PASSAGES_FOR_MODEL : PASSAGES),
    exemplars: exemplars.map((hit) => toExemplar(hit, audience)),
    confidence: {
      passages: answer?.confidence ?? 0,
      exemplars: Math.max(0, ...exemplars.map((hit) => hit.confidence)) * weightOf(message, before),
    },
    answer,
    quotation,
    asksFor,
    payer: { organizationId: twin.orgId, userId: twin.ownerId, twinId: twin.id },
    seed,
  };
  const plan = decide(evidence);
  if (generator === "llm") {
    // Of an owner of several manners no reply to another is an example, where nothing tells which one is meant.
    const others = group !== null || audience.kind === "owner" || (style?.groups ?? []).length === 0;
    const random = seededRandom(`${seed}\nexchanges`);
    const exchanges = await index.recentExchanges(audience, { group: group?.key ?? null, others, random });
    return { ...evidence, plan, exchanges: exchanges.map((pair) => toExemplar(pair, audience)) };
  }
  // A request is left to the owner, in words of ours.
  if (plan.kind !== "unknown" || wantOf(message) === "request") return { ...evidence, plan };
  const asides = await findAsides(index, { audience, message, history, seed });
  return { ...evidence, plan, asides };
}

const NO_PIECES: ReadonlyMap<number, readonly number[]> = new Map();
const NOTHING_NEAR: ReadonlyMap<string, readonly number[]> = new Map();

const checkedStyles = new WeakMap<object, OwnersStyle | null>();

/** null where nothing is measured, or what is stored is of an earlier kind. Each stored profile is checked once. */
function styleOf({ styleProfile: stored }: Pick<AnsweringTwin, "styleProfile">): OwnersStyle | null {
  if (typeof stored !== "object" || stored === null) return null;
  const known = checkedStyles.get(stored);
  if (known !== undefined) return known;
  const style = OwnersStyle.safeParse(stored).data ?? null;
  checkedStyles.set(stored, style);
  return style;
}

const addressRule = (rules: readonly StyleRule[]): Address | null =>
  rules.find((rule) => rule.habit === "address")?.address ?? null;

/** A past message with the same one or two words is a weak likeness; a message that leans on another has none of its own. */
function weightOf(message: string, before: FollowUp | null): number {
  if (before !== null) return 0.5;
  const words = contentWords(message).length;
  return words <= 1 ? 0.6 : words === 2 ? 0.85 : 1;
}

/** «номер заказа», where someone asks how their own order is and what the twin knows speaks of its number. */
async function missingNumber(index: TwinIndex, audience: Audience, message: string): Promise<string | null> {
  const thing = ownThing(message);
  if (thing === null) return null;
  const query = ["номер", thing, ...relatedStems(stemOf(thing))].join(" ");
  const hits = await index.search({ audience, query, kinds: ["passage"], limit: CANDIDATES, sentences: false });
  return numberOf(
    thing,
    hits.map((hit) => hit.text),
  );
}

interface Search {
  audience: Audience;
  message: string;
  before: FollowUp | null;
  parts: readonly QuestionPart[];
  meaning: Meaning | null;
}

/** The passages found for the message and each of its questions, best first, and the past replies to the like of it. */
async function search(
  index: TwinIndex,
  { audience, message, before, parts, meaning }: Search,
): Promise<{ found: PassageHit[]; exemplars: (ExemplarHit | OpenHit)[] }> {
  const related = wordsOf(parts).some((word) => relatedStems(stemOf(word)).size > 0);
  // One question without other words for its own would only find the same again.
  const queries = new Set([spelled(contextual(message, before))]);
  if (parts.length > 1 || before !== null || related) {
    for (const part of parts) queries.add(withSynonyms(wordsOf([part])));
  }
  const [exemplars, ...passages] = await index.searchAll<"exemplar" | "open" | "passage">([
    { audience, query: message, kinds: ["exemplar", "open"], limit: EXEMPLARS, meaning },
    ...[...queries].map((query, at) => ({
      audience,
      query,
      kinds: ["passage" as const],
      limit: CANDIDATES,
      sentences: false,
      meaning: at === 0 ? meaning : null,
    })),
  ]);
  const best = new Map<number, PassageHit>();
  for (const hit of passages.flat() as PassageHit[]) {
    const known = best.get(hit.id);
    if (known === undefined || known.score < hit.score) best.set(hit.id, hit);
  }
  return {
    found: [...best.values()].sort((a, b) => b.score - a.score),
    exemplars: withoutRepeats(surestFirst(exemplars as (ExemplarHit | OpenHit)[])),
  };
}

/** What is open may be a pair of the asker's own besides: that one is said to them. */
function withoutRepeats(hits: readonly (ExemplarHit | OpenHit)[]): (ExemplarHit | OpenHit)[] {
  const own = new Set(hits.flatMap(({ kind, reply }) => (kind === "exemplar" ? [reply.trim()] : [])));
  return hits.filter(({ kind, reply }) => kind === "exemplar" || !own.has(reply.trim()));
}

interface AnswerSought {
  /** Of the passages found, as `pieceSimilarities` has it. */
  pieces: ReadonlyMap<number, readonly number[]>;
  audience: Audience;
  message: string;
  before: FollowUp | null;
  parts: readonly QuestionPart[];
  /** Facts that the owner has taught, near to the question. */
  taught: readonly ReplyPassage[];
  limit: number;
}

/** The answer that stands in the passages found; what it stands in comes first: it is what is named as its source. */
async function answerFrom(
  index: TwinIndex,
  found: readonly PassageHit[],
  { pieces, audience, message, before, parts, taught, limit }: AnswerSought,
): Promise<{ passages: ReplyPassage[]; answer: FoundAnswer | null; quotation: ReplyEvidence["quotation"] }> {
  // Beyond the best few a sentence's own likeness to the question decides nothing.
  const ranked = await index.rankSentences(audience, spelled(contextual(message, before)), found.slice(0, PASSAGES));
  const passages = [...taught, ...[...ranked, ...found.slice(PASSAGES)].map(toPassage)];
  const rarity = await index.rarity(audience);
  const byWords = findAnswer({ parts, passages, rarity, limit });
  const record =
    parts.length === 1 && byWords !== null ? recordOf(byWords.sentence.text, byWords.sentence.passage) : null;
  const known = (byWords?.confidence ?? 0) >= THRESHOLDS.knowledge;
  // A cell says nothing without the row that it stands in.
  const inWhole = record === null ? byWords : { ...byWords!, text: record };
  const likely = known ? inWhole : (answerByMeaning(found, passages, byWords, limit) ?? byWords);
  // Of other amounts than were asked for it is at most quoted.
  const answer =
    likely === null || bearsAmounts(message, likely.text)
      ? likely
      : { ...likely, confidence: Math.min(likely.confidence, OF_OTHER_AMOUNTS) };
  const meant = known ? null : nearestPiece(passages, pieces);
  if (answer === null) return { passages, answer, quotation: quotationByMeaning(null, meant) };
  const nearest = quotationOf(answer.sentence.text, answer.sentence.passage);
  const quotation = quotationByMeaning(nearest && { ...nearest, likelihood: answer.confidence }, meant);
  return {
    quotation,
    passages: [...answer.passages, ...passages.filter((one) => !answer.passages.includes(one))],
    answer,
  };
}

const contextual = (message: string, before: FollowUp | null) => (before === null ? message : joined(before, message));
const wordsOf = (parts: readonly QuestionPart[]) => parts.flatMap((part) => part.terms.map((term) => term.word));
const withSynonyms = (words: readonly string[]) =>
  words.flatMap((word) => [word, ...relatedStems(stemOf(word))]).join(" ");

/**
 * The guarded reply as text deltas. The first is empty: whoever has it knows that the reply was not refused.
 * @throws Problem 429 before the first when the day's budget is spent; 502 when the model fails or says nothing; the signal's reason when aborted
 */
export async function* streamReply(
  generator: Generator,
  request: ReplyRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const guard = outputGuard(addressSources(request));
  let empty = true;
  let begun = false;
  for await (const delta of generator.generate(request, signal)) {
    if (!begun) yield "";
    begun = true;
    const text = guard.push(delta);
    if (text === "") continue;
    empty = false;
    yield text;
  }
  const rest = guard.end();
  if (rest !== "") yield rest;
  else if (empty) throw upstream("empty_reply", "Модель вернула пустой ответ. Попробуйте еще раз.");
}

/** @param response the whole text: of several good passages those are named that it speaks from */
export function groundsOf(generator: Generator, request: ReplyRequest, response: string): Grounds {
  const { passages, exemplars } = request;
  const plan = planAfter(generator, request, response);
  const { confidence, kind: basis, reason } = plan;
  if (request.corrected) {
    const { source, text } = request.corrected;
    const sources = source === undefined ? [] : [{ documentId: "", name: source, text }];
    return { sources, exemplars: [], confidence, basis: "corrected", reason };
  }
  const byModel = generator.name === "llm" && !generator.fellBack?.(request);
  const showsExemplars = (plan.kind === "recurring" && plan.ask === undefined) || (byModel && plan.kind !== "unknown");
  return {
    sources:
      plan.kind === "knowledge"
        ? sourcesOf(passages, response)
        : plan.kind === "quoted"
          ? [toSource(request.quotation!.passage)]
          : [],
    exemplars: showsExemplars
      ? exemplars.slice(0, SHOWN_EXEMPLARS).map(({ incoming, reply }) => ({ incoming, reply }))
      : [],
    confidence,
    basis,
    reason,
  };
}

function sourcesOf(passages: readonly ReplyPassage[], response: string): Reply["sources"] {
  const said = new Set(normalize(response).match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const best = passages[0]?.score ?? 0;
  const spoken = (passage: ReplyPassage) =>
    passage.sentences.some(({ text }) => {
      const words = normalize(text).match(/[\p{L}\p{N}]{4,}/gu) ?? [];
      return words.length > 0 && words.filter((word) => said.has(word)).length >= words.length * 0.7;
    });
  const good = passages.filter((passage) => passage.score >= best * SOURCE_SHARE);
  const named = good.filter(spoken);
  return (named.length > 0 ? named : good.slice(0, 1)).map(toSource);
}

const toSource = ({ documentId, name, text }: ReplyPassage): Reply["sources"][number] => ({ documentId, name, text });

function toPassage(hit: PassageHit): ReplyPassage {
  return {
    id: String(hit.id),
    documentId: hit.documentId,
    name: hit.documentName,
    heading: hit.heading ?? "",
    text: hit.text,
    score: hit.score,
    sentences: hit.sentences,
  };
}

function toExemplar(hit: (ExemplarContent | OpenContent) & { score?: number }, audience: Audience): ReplyExemplar {
  const { reply, score = 0 } = hit;
  if (hit.kind === "open") {
    const { id, question, opened, people } = hit;
    return { id: `open ${id}`, incoming: opened ? question : null, reply, score, sameContact: false, opened, people };
  }
  const sameContact = audience.kind === "contact" && audience.contactId === hit.contactId;
  return { id: String(hit.id), incoming: hit.incoming, reply, score, sameContact };
}
