import { and, asc, eq } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { styleSamples } from "#server/platform/db/schema/public-replies.ts";

/** A text of the owner that shows a model how he writes to everybody. */
export interface StyleSampleContent {
  id: number;
  /** The invented message that it answers; null for a past reply. */
  incoming: string | null;
  text: string;
  /** The past reply that holds it; null for an answer to an invented message. */
  replyExampleId: number | null;
}

/** Returns the open samples, oldest first, so that the beginning of a prompt stays the same. */
export function readStyleSamples(tx: Tx, twinId: string): Promise<StyleSampleContent[]> {
  return tx
    .select({
      ...{ id: styleSamples.id, incoming: styleSamples.incoming, text: styleSamples.text },
      replyExampleId: styleSamples.replyExampleId,
    })
    .from(styleSamples)
    .where(and(eq(styleSamples.twinId, twinId), eq(styleSamples.state, "open")))
    .orderBy(asc(styleSamples.id));
}
