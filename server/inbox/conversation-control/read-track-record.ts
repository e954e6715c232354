import { and, desc, eq, gte, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { TrackRecord } from "#contract/track-record.ts";
import type { TrackRecords } from "#server/answers/replies/recorded-answer.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";

/** Answers of one kind that are counted at most, the latest first. */
const COUNTED = 40;
/** Maximum number of decided answers that are read. Those of other generators are among them, although they have no probability. */
const READ = 400;
/** Age in days beyond which an answer no longer shows how the twin does. */
const DAYS = 180;

/** Reads how the owner decided on this twin's answers that had a probability; see `TrackRecords`. */
export async function readTrackRecords(
  tx: Tx,
  { orgId, twinId, now }: { orgId: string; twinId: string; now: Date },
): Promise<TrackRecords> {
  const ofTwin = tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.twinId, twinId));
  const rows = await tx
    .select({
      band: sql<"sure" | "unsure" | null>`${outbox.citations} ->> 'band'`,
      corrected: sql<boolean>`${outbox.original} is not null or ${outbox.state} = 'cancelled'`,
    })
    .from(outbox)
    .where(
      and(
        eq(outbox.orgId, orgId),
        inArray(outbox.state, ["sent", "cancelled"]),
        sql`${outbox.integrationId} = any(array(${ofTwin}))`,
        isNotNull(outbox.decidedBy),
        isNull(outbox.author),
        gte(outbox.createdAt, new Date(now.getTime() - DAYS * 86_400_000)),
      ),
    )
    .orderBy(desc(outbox.createdAt))
    .limit(READ);
  const of = (one: "sure" | "unsure") => countOf(rows.filter(({ band }) => band === one));
  return { sure: of("sure"), unsure: of("unsure") };
}

function countOf(rows: readonly { corrected: boolean }[]): TrackRecord {
  const counted = rows.slice(0, COUNTED);
  return { decided: counted.length, corrected: counted.filter(({ corrected }) => corrected).length };
}
