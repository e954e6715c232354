import type { StyleRule } from "#contract/corrections.ts";
import { StatedSelf } from "#contract/knowledge/self-presentation.ts";
import { OwnersStyle } from "#contract/quality.ts";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import { type ActiveCorrection, matchCorrections } from "#server/knowledge/corrections/active-corrections.ts";
import { nearCorrections } from "#server/knowledge/corrections/near-corrections.ts";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { followUpOf } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords, type FollowUp, questionParts } from "#server/knowledge/language/question/question-parts.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { OpenContent, ReplyExampleContent } from "#server/knowledge/search/twin-hits.ts";
import type { TwinIndex } from "#server/knowledge/search/twin-index.ts";
import { visibleSelf } from "#server/knowledge/style/self/visible-self.ts";
import { sharedStyle } from "#server/knowledge/style/shared-style.ts";
import { groupFor } from "#server/knowledge/style/style-for.ts";
import { sentenceLimit } from "#server/knowledge/style/style-transfer.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { memoizeByObject } from "#server/platform/text/memoize.ts";
import { extractiveReader } from "../extraction/extractive-reader.ts";
import { rankPieces } from "../extraction/rank-pieces.ts";
import type { ReadAnswer } from "../extraction/reader.ts";
import { type Generator, isModelAsked } from "../generator.ts";
import type { AnsweringTwin } from "../open-twin.ts";
import { findFillerReplies, spreadReplies } from "../owner-words/filler-replies.ts";
import { friendOf } from "../owner-words/friend-policy.ts";
import type { ReplyEvidence, ReplyExample, ReplyRequest } from "../reply-request.ts";
import { MAX_CONFIDENCE } from "../sort-by-confidence.ts";
import { pairFit } from "../wording/pair-fit.ts";
import { accompanyingChunks } from "./accompanying-chunks.ts";
import { decide, isSociallyAnswerable } from "./decide.ts";
import { findKnowledge, wholeKnowledge } from "./find-knowledge.ts";

const CHUNKS = 4;
/** A model reads the chunks itself, so less similar ones are included. */
const CHUNKS_FOR_MODEL = 6;
/** Hits of one search, of which the chunks are chosen. */
const CANDIDATES = 8;
/** With twenty chunks all facts are in for 97 of 100 questions on 60 documents, with six for 86. */
const CANDIDATES_FOR_CAPABLE = 20;
const TIME_ZONE = "Europe/Moscow";

export interface IncomingMessage {
  /** The twin as returned by `openTwin` in this transaction. */
  twin: AnsweringTwin;
  index: TwinIndex;
  message: string;
  history: HistoryTurn[];
  audience: Audience;
  /** Embedding of the message as rewritten by `standaloneQuestion`, requested before this transaction; null: unknown. */
  queryEmbedding: QueryEmbedding | null;
  /** Likelihood that each chunk answers, 0..1 by chunk id, requested before this transaction; null or absent: unknown. */
  likelihoods?: ReadonlyMap<number, number> | null;
  /** See `ReplyRequest.notes`. */
  notes?: string;
  /** The contact who writes: members' notes, the set form of address, the style group and the name. Never data of another contact. */
  contact?: { notes: readonly string[]; address: Address | null; styleGroup: string | null; name?: string };
  /** IANA time zone of the owner's working hours; absent: Europe/Moscow. */
  timeZone?: string | undefined;
  /** When the message was sent, for one of the past; absent: now. */
  sentAt?: Date | undefined;
  /** Corrections from `openTwin` or `readActiveCorrections` for this audience; kinds that are left out are missing. */
  learnt: readonly ActiveCorrection[];
  seed: string;
  /** The kind of generator that will answer, because each needs different data. */
  generator: Generator["name"];
  /** See `Generator.ability`. */
  ability?: Generator["ability"] | undefined;
  /** See `Generator.knowledgeRoom`. */
  knowledgeRoom?: number | undefined;
}

export async function prepareReply(incoming: IncomingMessage): Promise<ReplyRequest> {
  const { twin, index, message, history, audience, notes, contact, seed, generator } = incoming;
  const { queryEmbedding, likelihoods = null, ability } = incoming;
  // A model that is asked for small talk alone leaves everything else to the embedded engine.
  const mayEmbed = generator === "embedded" || ability === "small-talk";
  const near =
    queryEmbedding === null ? NOTHING_NEAR : await nearCorrections(index.tx, incoming.learnt, queryEmbedding);
  const learnt = matchCorrections(incoming.learnt, { audience, message, history, near });
  const address = contact?.address ?? addressRule(learnt.rules);
  const measured = styleOf(twin);
  const style = measured === null || audience.kind === "owner" ? measured : sharedStyle(measured);
  const group = style === null ? null : groupFor(style, { ...contact, address, message, history });
  const profile = group?.profile ?? style;
  const before = followUpOf(history, message);
  const parts = questionParts(message, before);
  const { knowledgeRoom } = incoming;
  const candidates = knowledgeRoom === undefined ? CANDIDATES : CANDIDATES_FOR_CAPABLE;
  const sought = { audience, message, before, parts, queryEmbedding, likelihoods, candidates };
  const everything = knowledgeRoom === undefined ? [] : await wholeKnowledge(index, audience, knowledgeRoom);
  const { chunks: found, replyExamples, asksFor, ...known } = await findKnowledge(index, sought);
  const chunks = [...learnt.chunks, ...found];
  const isSearched = knowledgeRoom !== undefined && everything.length === 0;
  const accompanying = isSearched
    ? await accompanyingChunks(index, audience, chunks.slice(0, CANDIDATES_FOR_CAPABLE))
    : undefined;
  const limit = sentenceLimit(profile, learnt.rules);
  const { answer, quotation, nearest } = extractiveReader.read({ message, history, parts, chunks, limit, ...known });
  const fitOf = pairFit(message, known.rarity);
  const evidence: ReplyEvidence = {
    twin: {
      name: twin.name,
      publicName: publicNameOf(twin),
      description: twin.description,
      personality: twin.personality,
      communicationStyle: twin.communicationStyle,
      expertise: twin.expertise,
      purpose: twin.purpose,
    },
    profile,
    groupStyle: group !== null,
    self: visibleSelf(measured, statedSelfOf(twin), { isOwner: audience.kind === "owner" }),
    message,
    history,
    ...(notes === undefined ? {} : { notes }),
    ...(contact === undefined ? {} : { confidential: contact.notes }),
    ...(contact?.name === undefined ? {} : { contactName: contact.name }),
    now: { at: incoming.sentAt ?? new Date(), timeZone: incoming.timeZone ?? TIME_ZONE },
    address,
    corrected: learnt.corrected,
    rules: learnt.rules,
    chunks: citedFirst(chunks, answer).slice(
      0,
      mayEmbed ? CHUNKS : isSearched ? CANDIDATES_FOR_CAPABLE : CHUNKS_FOR_MODEL,
    ),
    ...(accompanying === undefined ? {} : { accompanying }),
    ...(everything.length === 0 ? {} : { everything }),
    replyExamples: replyExamples.map((hit) => {
      const replyExample = toReplyExample(hit, audience);
      return hit.kind === "open"
        ? replyExample
        : { ...replyExample, fit: Math.max(fitOf(hit), Math.min(MAX_CONFIDENCE, hit.meant)) };
    }),
    confidence: {
      chunks: answer?.confidence ?? 0,
      replyExamples: Math.max(0, ...replyExamples.map((hit) => hit.confidence)) * weightOf(message, before),
    },
    answer,
    quotation,
    nearest,
    asksFor,
    payer: { organizationId: twin.orgId, userId: twin.ownerId, twinId: twin.id },
    seed,
  };
  const alone = decide(evidence);
  const mayMeet = isSociallyAnswerable(evidence, alone);
  // A request is left to the owner in fixed words, so it needs no filler replies.
  const wantsFillers = mayEmbed && alone.kind === "unknown" && wantOf(message) !== "request";
  const spread = mayMeet || wantsFillers ? await spreadReplies(index, audience, seed) : [];
  const fillers = wantsFillers ? await findFillerReplies(index, spread, { audience, message, history }) : [];
  // The record of a capable model says itself what of a friend's message is left to the owner.
  const hasRecord = twin.purpose === "friends" && knowledgeRoom !== undefined;
  const who = mayMeet && !hasRecord ? friendOf(audience, message, spread) : null;
  // For a mere remark, the owner's filler reply to this contact precedes a phrase for friends.
  const friend = who?.act === "telling" && fillers.some(({ kind }) => kind !== "unsure") ? null : who;
  const plan = friend === null ? alone : decide({ ...evidence, friend });
  const met = { ...evidence, friend, plan };
  if (isModelAsked({ name: generator, ability }, met)) {
    // With several styles and no sign of the right one, exchanges with other contacts are no examples.
    const others = group !== null || audience.kind === "owner" || (style?.groups ?? []).length === 0;
    const random = seededRandom(`${seed}\nexchanges`);
    const exchanges = await index.recentExchanges(audience, { group: group?.key ?? null, others, random });
    const pieces = rankPieces(evidence.chunks, known.pieces);
    const samples = audience.kind === "owner" ? [] : await samplesFor(index);
    const shown = [...exchanges.map((pair) => toReplyExample(pair, audience)), ...samples];
    return { ...met, pieces, exchanges: shown };
  }
  return wantsFillers && friend === null ? { ...met, fillers } : met;
}

/** Texts that show how the owner writes to everybody. They come after what he wrote to this contact. */
async function samplesFor(index: TwinIndex): Promise<ReplyExample[]> {
  const samples = await index.styleSamples();
  return samples.map(({ id, incoming, text }) => ({
    ...{ id: `sample ${id}`, incoming, reply: text, score: 0, sameContact: false },
  }));
}

/** Cited chunks come first, because the first ones are named as sources. */
function citedFirst(chunks: readonly ReplyChunk[], answer: ReadAnswer | null): ReplyChunk[] {
  const cited = new Set(answer?.citations.map(({ chunk }) => chunk));
  return [...cited, ...chunks.filter((one) => !cited.has(one))];
}

const NOTHING_NEAR: ReadonlyMap<string, readonly number[]> = new Map();

const checkedStyle = memoizeByObject((stored: object) => OwnersStyle.safeParse(stored).data ?? null);

/** Returns null when no style is measured or the stored one has an older format. Each stored profile is validated once. */
function styleOf({ styleProfile: stored }: Pick<AnsweringTwin, "styleProfile">): OwnersStyle | null {
  return typeof stored === "object" && stored !== null ? checkedStyle(stored) : null;
}

const statedSelfOf = ({ selfPresentation: stored }: Pick<AnsweringTwin, "selfPresentation">): StatedSelf | null =>
  stored === null ? null : (StatedSelf.safeParse(stored).data ?? null);

const addressRule = (rules: readonly StyleRule[]): Address | null =>
  rules.find((rule) => rule.habit === "address")?.address ?? null;

/** A match of one or two words means little, and a follow-up has no meaning of its own: both weigh less. */
function weightOf(message: string, before: FollowUp | null): number {
  if (before !== null) return 0.5;
  const words = contentWords(message).length;
  return words <= 1 ? 0.6 : words === 2 ? 0.85 : 1;
}

function toReplyExample(
  hit: (ReplyExampleContent | OpenContent) & { score?: number },
  audience: Audience,
): ReplyExample {
  const { reply, score = 0 } = hit;
  if (hit.kind === "open") {
    const { id, question, opened, people } = hit;
    return {
      id: `open ${id}`,
      incoming: opened ? question : null,
      reply,
      score,
      sameContact: false,
      opened,
      people,
      isOpen: true as const,
    };
  }
  const sameContact = audience.kind === "contact" && audience.contactId === hit.contactId;
  const { incoming, repliedAt } = hit;
  return { id: String(hit.id), incoming, reply, score, sameContact, repliedAt };
}
