import type { SearchHit } from "#contract/knowledge.ts";
import type { Database, Tenant } from "#server/db/database.ts";
import { eachAsTenant } from "#server/db/tenant-statements.ts";
import { getTwinRow } from "#server/twins/twins.ts";
import type { Meanings } from "./meaning/meanings.ts";
import { searchTwin } from "./twin-index.ts";
import { audienceOf } from "./twin-units.ts";

const HITS = 20;

/** What the twin would find for this member in its documents and, for its owner, in the history; best first. @throws Problem 404 */
export async function searchKnowledge(
  { db, meanings }: { db: Database; meanings: Meanings | null },
  viewer: Tenant,
  twinId: string,
  query: string,
): Promise<SearchHit[]> {
  const meaning = (await meanings?.of(query)) ?? null;
  const tx = eachAsTenant(db, viewer);
  const audience = audienceOf(viewer, await getTwinRow(tx, viewer, twinId));
  const kinds = ["passage", "message"] as const;
  const hits = await searchTwin(tx, { twinId, query, audience, kinds, limit: HITS, meaning });
  return hits.map((hit) => {
    const found = { text: hit.text, score: hit.score, byMeaning: hit.match.grams === 0 };
    return hit.kind === "passage"
      ? { ...found, kind: "document", name: hit.documentName, documentId: hit.documentId }
      : { ...found, kind: "message", name: hit.chatName };
  });
}
