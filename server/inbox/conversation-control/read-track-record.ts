import { and, desc, eq, gte, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { TrackRecord } from "#contract/track-record.ts";
import type { TrackRecords } from "#server/answers/replies/recorded-answer.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { twinExamAnswers, twinExams } from "#server/platform/db/schema/exams.ts";

/** Answers of one kind that are counted at most, the latest first. */
const COUNTED = 40;
/** Maximum number of decided answers that are read. Those of other generators are among them, although they have no probability. */
const READ = 400;
/** Age in days beyond which an answer no longer shows how the twin does. */
const DAYS = 180;

/** `plain`: answers without a probability that were sure enough to be sent, which only an exam has decisions on. */
export interface Decisions extends TrackRecords {
  plain: TrackRecord;
}

interface Decided {
  band: keyof Decisions | null;
  corrected: boolean;
  at: Date;
}

/** Reads how the owner decided on this twin's answers, in drafts and in its last exam; see `TrackRecords`. */
export async function readTrackRecords(
  tx: Tx,
  { orgId, twinId, now }: { orgId: string; twinId: string; now: Date },
): Promise<Decisions> {
  const ofTwin = tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.twinId, twinId));
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const drafts: Decided[] = await tx
    .select({
      band: sql<"sure" | "unsure" | null>`${outbox.citations} ->> 'band'`,
      corrected: sql<boolean>`${outbox.original} is not null or ${outbox.state} = 'cancelled'`,
      at: outbox.createdAt,
    })
    .from(outbox)
    .where(
      and(
        eq(outbox.orgId, orgId),
        inArray(outbox.state, ["sent", "cancelled"]),
        sql`${outbox.integrationId} = any(array(${ofTwin}))`,
        isNotNull(outbox.decidedBy),
        isNull(outbox.author),
        gte(outbox.createdAt, since),
      ),
    )
    .orderBy(desc(outbox.createdAt))
    .limit(READ);
  const marks: Decided[] = await tx
    .select({
      band: twinExamAnswers.band,
      corrected: sql<boolean>`not ${twinExamAnswers.accepted}`,
      at: sql`${twinExamAnswers.decidedAt}`.mapWith(twinExamAnswers.decidedAt),
    })
    .from(twinExamAnswers)
    .innerJoin(twinExams, eq(twinExams.id, twinExamAnswers.examId))
    .where(
      and(
        eq(twinExams.twinId, twinId),
        isNotNull(twinExams.finishedAt),
        isNotNull(twinExamAnswers.accepted),
        gte(twinExamAnswers.decidedAt, since),
      ),
    );
  const decided = marks.length === 0 ? drafts : [...marks, ...drafts].sort((a, b) => b.at.getTime() - a.at.getTime());
  const of = (one: keyof Decisions) => countOf(decided.filter(({ band }) => band === one));
  return { sure: of("sure"), unsure: of("unsure"), plain: of("plain") };
}

function countOf(rows: readonly { corrected: boolean }[]): TrackRecord {
  const counted = rows.slice(0, COUNTED);
  return { decided: counted.length, corrected: counted.filter(({ corrected }) => corrected).length };
}
