/** The job that asks a twin its corrected questions again after each training and shows which corrections no longer hold. */
import { and, desc, eq } from "drizzle-orm";
import { isBudgetSpent } from "#server/accounts/twins/model-budget.ts";
import { nextUsageDay } from "#server/accounts/twins/usage.ts";
import { isMessageRefused } from "#server/answers/exam/without-answer.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, planReply, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { type PrefetchedQuestion, prefetchQuestion, type Question } from "#server/answers/replies/prefetch-question.ts";
import { followsRule } from "#server/knowledge/corrections/style-rules.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

/** Maximum number of newest corrections that are asked; fewer for a model, whose answers cost the owner money. */
const MAX_CASES = { embedded: 500, llm: 100 } as const;
/** Minimum share of a fact's words in the answer, because a model rephrases it. */
const SAID = 0.8;

type Case = typeof corrections.$inferSelect;

interface ReplayDeps extends ReplyDeps {
  jobs: Pick<Jobs, "enqueue">;
}

/**
 * Returns at once if the twin is deleted; continues tomorrow when the day's budget is spent. A question that fails fails the job, and the
 * queue retries.
 */
export async function replayCorrections(
  deps: ReplayDeps,
  { twinId, ...tenant }: Tenant & { twinId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, jobs, generator } = deps;
  const cases = await asTenant(db, tenant, (tx) => keptCases(tx, twinId, MAX_CASES[generator.name]));
  for (const one of cases) {
    signal.throwIfAborted();
    const models = await withModels(deps, tenant);
    const prefetched = await prefetchQuestion(models, tenant, questionOf(one));
    const answer = await planAnswer(eachAsTenant(db, tenant), tenant, one, prefetched);
    // Null where the model refuses the question: it does not hold, and the others are asked.
    let reply: string | null = null;
    try {
      reply = (await answer.whole(signal)).trim();
    } catch (error) {
      if (isBudgetSpent(error)) {
        // All questions are asked again tomorrow, because part of today's answers would not describe that day's twin.
        const data = { organizationId: tenant.organizationId, userId: tenant.userId, twinId };
        return asTenant(db, tenant, (tx) => jobs.enqueue(tx, "replay-corrections", data, nextUsageDay(new Date())));
      }
      if (!isMessageRefused(error)) throw error;
    }
    const result = reply !== null && holds(one, reply) ? "passed" : "failed";
    await asTenant(db, tenant, (tx) =>
      tx
        .update(corrections)
        .set({ caseResult: result, caseBefore: one.caseResult, caseReply: reply, caseCheckedAt: new Date() })
        .where(eq(corrections.id, one.id)),
    );
  }
}

function keptCases(tx: Tx, twinId: string, limit: number): Promise<Case[]> {
  return tx
    .select()
    .from(corrections)
    .where(and(eq(corrections.twinId, twinId), eq(corrections.state, "active"), eq(corrections.caseKept, true)))
    .orderBy(desc(corrections.place))
    .limit(limit);
}

const questionOf = ({ twinId, question, context, contactId }: Case): Question => ({
  twinId,
  message: question,
  history: context,
  audience: contactId === null ? { kind: "owner" } : { kind: "contact", contactId },
});

async function planAnswer(tx: Tx, tenant: Tenant, one: Case, prefetched: PrefetchedQuestion): Promise<Answer> {
  const { id, twinId, contactId } = one;
  const opened = await openTwin(tx, tenant, twinId, { contactId });
  const [contact] = await tx
    .select({ address: contacts.tone, styleGroup: contacts.styleGroup })
    .from(contacts)
    .where(eq(contacts.id, contactId ?? 0));
  const noted = contact === undefined ? {} : { contact: { notes: [], ...contact } };
  return planReply(opened, { ...questionOf(one), ...noted, seed: `case:${id}`, background: true }, prefetched);
}

/** Whether the reply states the fact, repeats the example verbatim, or follows every rule. */
function holds({ kind, text, rules, context }: Case, reply: string): boolean {
  if (kind === "example") return plain(reply) === plain(text);
  if (kind === "fact") return says(reply, text);
  const opening = !context.some(({ role }) => role === "assistant");
  return rules.every((rule) => followsRule(reply, rule, { opening }));
}

const plain = (text: string) => text.replace(/\s+/g, " ").trim();

function says(reply: string, fact: string): boolean {
  if (plain(reply).toLowerCase().includes(plain(fact).toLowerCase())) return true;
  const numbers = new Set(reply.match(/\d+/g));
  if ((fact.match(/\d+/g) ?? []).some((number) => !numbers.has(number))) return false;
  const said = new Set(contentWords(reply).map((word) => stemOf(word)));
  const words = contentWords(fact).map((word) => stemOf(word));
  return words.length > 0 && words.filter((stem) => said.has(stem)).length >= words.length * SAID;
}
