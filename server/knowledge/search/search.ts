import type { SearchHit } from "#contract/knowledge/knowledge.ts";
import { getTwinRow } from "#server/accounts/twins/twins.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { audienceOf } from "#server/knowledge/embeddings/twin-units.ts";
import type { Database, Tenant } from "#server/platform/db/database.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { searchTwin } from "./twin-index.ts";

const HITS = 20;

/** Shows what the twin finds for this member in its documents and, for its owner, in the history; best first. @throws Problem 404 */
export async function searchKnowledge(
  { db, queryEmbedder }: { db: Database; queryEmbedder: QueryEmbedder | null },
  caller: Tenant,
  twinId: string,
  query: string,
): Promise<SearchHit[]> {
  const queryEmbedding = (await queryEmbedder?.of(query)) ?? null;
  const tx = eachAsTenant(db, caller);
  const audience = audienceOf(caller, await getTwinRow(tx, caller, twinId));
  const kinds = ["chunk", "message"] as const;
  const hits = await searchTwin(tx, { twinId, query, audience, kinds, limit: HITS, queryEmbedding });
  return hits.map((hit) => {
    const found = { text: hit.text, score: hit.score, byEmbedding: hit.match.grams === 0 };
    return hit.kind === "chunk"
      ? { ...found, kind: "document", name: hit.documentName, documentId: hit.documentId }
      : { ...found, kind: "message", name: hit.chatName, fromOwner: hit.fromOwner };
  });
}
