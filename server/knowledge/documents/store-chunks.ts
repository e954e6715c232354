import type { Tx } from "#server/platform/db/database.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";
import type { Chunk } from "./split-chunks.ts";

const ROWS = 500;

/** Call it in a transaction that holds the lock on the twin's row; the document must have no chunks yet. */
export async function storeChunks(
  tx: Tx,
  { organizationId, twinId, documentId }: { organizationId: string; twinId: string; documentId: string },
  found: readonly Chunk[],
): Promise<void> {
  const rows = found.map(({ ordinal, heading, text }) => ({
    orgId: organizationId,
    twinId,
    documentId,
    ordinal,
    heading,
    text,
  }));
  for (let at = 0; at < rows.length; at += ROWS) await tx.insert(chunks).values(rows.slice(at, at + ROWS));
}
