import type { SearchHit } from "#contract/knowledge.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
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
  const hits = await asTenant(db, viewer, async (tx) => {
    const audience = audienceOf(viewer, await getTwinRow(tx, viewer, twinId));
    return searchTwin(tx, { twinId, query, audience, kinds: ["passage", "message"], limit: HITS, meaning });
  });
  return hits.map((hit) => {
    const found = { text: hit.text, score: hit.score, byMeaning: hit.match.grams === 0 };
    return hit.kind === "passage"
      ? { ...found, kind: "document", name: hit.documentName, documentId: hit.documentId }
      : { ...found, kind: "message", name: hit.chatName };
  });
}
