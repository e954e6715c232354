/** The job that sorts unanswered questions, asks them again once the twin has learnt, and prepares answers for the askers. */
import { and, eq, isNull, lt, or } from "drizzle-orm";
import { isBudgetSpent } from "#server/accounts/twins/model-budget.ts";
import { nextUsageDay } from "#server/accounts/twins/usage.ts";
import type { AnswerDeps } from "#server/inbox/answering/answer-job.ts";
import { asPlatform, asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { askOpenGaps } from "./ask-again.ts";
import { isPendingNotification, notifyAskers } from "./notify-askers.ts";
import { sortQuestions } from "./sort-questions.ts";

/** Milliseconds after which a recorded question counts as having lost its job. */
const LATE_MS = 5 * 60_000;

/**
 * Does nothing when the twin was deleted. Each step skips settled questions, so the next run continues a killed one; after the daily budget
 * is spent, tomorrow's run does.
 */
export async function closeGaps(
  deps: AnswerDeps,
  data: Tenant & { twinId: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    await sortQuestions(deps, data, signal);
    await notifyAskers(deps, data, signal);
    await askOpenGaps(deps, data, signal);
  } catch (error) {
    if (!isBudgetSpent(error)) throw error;
    const { organizationId, userId, twinId } = data;
    await asTenant(deps.db, data, (tx) =>
      deps.jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId }, nextUsageDay(new Date())),
    );
  }
}

/** Enqueues the job for twins with unfinished work: a test chat's job may be lost, and any job may have used up its attempts. */
export async function resumeGaps({ db, jobs }: { db: Database; jobs: Jobs }): Promise<void> {
  const late = new Date(Date.now() - LATE_MS);
  const waiting = await asPlatform(db, (tx) =>
    tx
      .selectDistinct({ twinId: twins.id, organizationId: twins.orgId, userId: twins.ownerId })
      .from(gapQuestions)
      .innerJoin(twins, eq(twins.id, gapQuestions.twinId))
      .leftJoin(gaps, eq(gaps.id, gapQuestions.gapId))
      .where(
        or(
          and(isNull(gapQuestions.gapId), lt(gapQuestions.askedAt, late)),
          and(isPendingNotification(), eq(gaps.answeredBy, "owner"), lt(gaps.decidedAt, late)),
        ),
      ),
  );
  for (const twin of waiting) await asTenant(db, twin, (tx) => jobs.enqueue(tx, "close-gaps", twin));
}
