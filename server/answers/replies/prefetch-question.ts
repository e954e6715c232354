/** What models tell about a question before it is answered. None of them is asked inside a transaction. */

import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { followUpOf, standaloneQuestion } from "#server/knowledge/language/question/contextual-query.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import type { QueryEmbedding } from "#server/knowledge/search/embeddings/query-embedder.ts";
import { type ChunkHit, openTwinIndex, type TwinIndex } from "#server/knowledge/search/twin-index.ts";
import type { Audience } from "#server/knowledge/search/twin-units.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { findCandidates } from "./find-knowledge.ts";
import type { Models } from "./models.ts";

/** A question with its conversation, before anything else is known. */
export interface Asked {
  twinId: string;
  message: string;
  history: HistoryTurn[];
  /** Whose chunks are searched beforehand; a contact who is not known yet counts as a stranger. */
  audience: Audience;
}

/** The question, or a function that reads it first; null: nothing is to be answered yet. */
export type Prefetch = Asked | (() => Promise<Asked | null>);

export interface Known {
  /** The message as `standaloneQuestion` rewrites it. */
  question: string;
  queryEmbedding: QueryEmbedding | null;
  /** How likely each chunk answers, 0..1 by chunk id. */
  likelihoods: ReadonlyMap<number, number> | null;
}

export const NOTHING_PREFETCHED: Known = { question: "", queryEmbedding: null, likelihoods: null };

/** Asks the models before the transaction of an answer is opened. @throws Problem 404; whatever `ahead` throws */
export async function prefetchQuestion(
  models: Models,
  db: Database,
  tenant: Tenant,
  ahead: Prefetch | undefined,
): Promise<Known> {
  if (models.queryEmbedder === null && models.reranker === null) return NOTHING_PREFETCHED;
  const asked = await (typeof ahead === "function" ? ahead() : ahead);
  if (!asked) return NOTHING_PREFETCHED;
  return prefetchEmbeddings(models, tenant, asked, (search) =>
    asTenant(db, tenant, async (tx) => search(await openTwinIndex(tx, asked.twinId))),
  );
}

/** @param within opens the twin's index, runs the search and leaves no transaction open */
export async function prefetchEmbeddings(
  { queryEmbedder, reranker }: Models,
  tenant: Tenant,
  { message, history, audience }: Omit<Asked, "twinId">,
  within: (search: (index: TwinIndex) => Promise<ChunkHit[]>) => Promise<ChunkHit[]>,
): Promise<Known> {
  const question = standaloneQuestion(history, message);
  const queryEmbedding = (await queryEmbedder?.of(question)) ?? null;
  // A greeting needs no chunks.
  if (reranker === null || smallTalkOf(message) !== null) return { question, queryEmbedding, likelihoods: null };
  const before = followUpOf(history, message);
  const found = await within((index) => findCandidates(index, { audience, message, before, queryEmbedding }));
  const scores = found.length < 2 ? null : await reranker.scores(question, found.map(textOf), tenant);
  const likelihoods = scores && new Map(scores.map((score, at) => [found[at]!.id, score]));
  return { question, queryEmbedding, likelihoods };
}

/** The chunk under its document's name and heading: a table row says nothing without what is above it. */
const textOf = ({ documentName, heading, text }: ChunkHit): string =>
  [documentName, heading, text].filter(Boolean).join("\n");
