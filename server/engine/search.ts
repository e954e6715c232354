import type { SearchHit } from "#contract/knowledge.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { getTwinRow } from "#server/twins/twins.ts";
import { searchTwin } from "./twin-index.ts";

const HITS = 20;

/** What the twin would find in its documents and its owner's history, best first, as the owner may see it. @throws Problem 404 */
export async function searchKnowledge(
  db: Database,
  viewer: Tenant,
  twinId: string,
  query: string,
): Promise<SearchHit[]> {
  const hits = await asTenant(db, viewer, async (tx) => {
    await getTwinRow(tx, viewer, twinId);
    return searchTwin(tx, { twinId, query, audience: { kind: "owner" }, kinds: ["passage", "message"], limit: HITS });
  });
  return hits.map((hit) =>
    hit.kind === "passage"
      ? { kind: "document", text: hit.text, name: hit.documentName, score: hit.score }
      : { kind: "message", text: hit.text, name: hit.chatName, score: hit.score },
  );
}
