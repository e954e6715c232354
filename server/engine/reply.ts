/** The one entry: a twin answers a message. Reading (in a transaction) is parted from generating (in none). */
import type { Reply } from "#contract/conversations.ts";
import { StyleProfile } from "#contract/quality.ts";
import type { Tx } from "#server/db/database.ts";
import { upstream } from "#server/errors.ts";
import type { TwinRow } from "#server/twins/twins.ts";
import { normalize } from "./analyze.ts";
import { contextualQuery } from "./contextual-query.ts";
import { decide } from "./decide.ts";
import type {
  Generator,
  HistoryTurn,
  ReplyEvidence,
  ReplyExemplar,
  ReplyPassage,
  ReplyRequest,
} from "./generators/generator.ts";
import { outputGuard } from "./guard-output.ts";
import { type ExemplarHit, openTwinIndex, type PassageHit } from "./twin-index.ts";
import type { Audience } from "./twin-units.ts";

const PASSAGES = 4;
const EXEMPLARS = 6;
/** Of the best passage's score: a weaker one is no source of the answer. */
const SOURCE_SHARE = 0.5;
const SHOWN_EXEMPLARS = 3;

export interface IncomingMessage {
  twin: TwinRow;
  message: string;
  /** Of this conversation, oldest first, without `message`. */
  history: HistoryTurn[];
  audience: Audience;
  /** Of conversation and message. */
  seed: string;
}

/** What an answer stood on; goes out with it and is stored beside it. */
export type Grounds = Pick<Reply, "sources" | "exemplars" | "confidence" | "basis" | "reason">;

/**
 * Gathers everything that this audience may see and decides how to answer.
 * @throws Problem 404 when the twin is gone
 */
export async function prepareReply(tx: Tx, incoming: IncomingMessage): Promise<ReplyRequest> {
  const { twin, message, history, audience, seed } = incoming;
  const index = await openTwinIndex(tx, twin.id);
  const query = contextualQuery(history, message);
  const passages = await index.search({ audience, query, kinds: ["passage"], limit: PASSAGES });
  const exemplars = await index.search({ audience, query: message, kinds: ["exemplar"], limit: EXEMPLARS });
  const profile = StyleProfile.safeParse(twin.styleProfile);
  const evidence: ReplyEvidence = {
    twin: {
      name: twin.name,
      description: twin.description,
      personality: twin.personality,
      communicationStyle: twin.communicationStyle,
      expertise: twin.expertise,
    },
    profile: profile.success ? profile.data : null,
    message,
    history,
    passages: passages.map(toPassage),
    exemplars: exemplars.map((hit) => toExemplar(hit, audience)),
    confidence: {
      passages: Math.max(0, ...passages.map((hit) => hit.confidence)),
      exemplars: Math.max(0, ...exemplars.map((hit) => hit.confidence)),
    },
    seed,
  };
  return { ...evidence, plan: decide(evidence) };
}

/**
 * The guarded reply as text deltas.
 * @throws Problem 502 when the model fails or says nothing; the signal's reason when aborted
 */
export async function* streamReply(
  generator: Generator,
  request: ReplyRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { twin, passages, exemplars, message } = request;
  const guard = outputGuard([
    ...passages.map((passage) => passage.text),
    ...exemplars.map((exemplar) => exemplar.reply),
    twin.description,
    message,
  ]);
  let empty = true;
  for await (const delta of generator.generate(request, signal)) {
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
  const { plan, passages, exemplars } = request;
  const showsExemplars = plan.kind === "recurring" || (generator.name === "llm" && plan.kind !== "unknown");
  return {
    sources: plan.kind === "knowledge" ? sourcesOf(passages, response) : [],
    exemplars: showsExemplars
      ? exemplars.slice(0, SHOWN_EXEMPLARS).map(({ incoming, reply }) => ({ incoming, reply }))
      : [],
    confidence: plan.confidence,
    basis: plan.kind,
    reason: plan.reason,
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
  return (named.length > 0 ? named : good.slice(0, 1)).map(({ documentId, name, text }) => ({
    documentId,
    name,
    text,
  }));
}

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

function toExemplar(hit: ExemplarHit, audience: Audience): ReplyExemplar {
  return {
    id: String(hit.id),
    incoming: hit.incoming,
    reply: hit.reply,
    score: hit.score,
    sameContact: audience.kind === "contact" && audience.contactId === hit.contactId,
  };
}
