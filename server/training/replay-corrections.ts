/** The job that asks a twin again what its owner has corrected, after each training: what held before and does not now is shown. */
import { and, desc, eq } from "drizzle-orm";
import { keepsRule } from "#server/corrections/style-rules.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { contacts, corrections } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { stemOf } from "#server/language/analyze.ts";
import { standaloneQuestion } from "#server/language/contextual-query.ts";
import { contentWords } from "#server/language/question-parts.ts";
import type { Generator, ReplyRequest } from "#server/replies/generators/generator.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { type IncomingMessage, prepareReply, streamReply } from "#server/replies/reply.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import type { Audience } from "#server/search/twin-units.ts";
import { isBudgetSpent } from "#server/twins/model-budget.ts";
import { nextUsageDay } from "#server/twins/usage.ts";

/** A model's answers cost its owner money: of the cases the newest are asked. */
const MOST = { embedded: 500, llm: 100 } as const;
/** Of the words of a fact: a model says it in its own words. */
const SAID = 0.8;

type Case = typeof corrections.$inferSelect;

export interface ReplayDeps {
  db: Database;
  jobs: Pick<Jobs, "enqueue">;
  generator: Generator;
  meanings: Meanings | null;
}

/** Without the twin it ends at once; with the day's budget spent it goes on tomorrow. A case that fails to be asked ends the job: the queue tries again. */
export async function replayCorrections(
  { db, jobs, generator, meanings }: ReplayDeps,
  { twinId, ...tenant }: Tenant & { twinId: string },
  signal: AbortSignal,
): Promise<void> {
  const cases = await asTenant(db, tenant, (tx) => keptCases(tx, twinId, MOST[generator.name]));
  for (const one of cases) {
    signal.throwIfAborted();
    const meaning = (await meanings?.of(standaloneQuestion(one.context, one.question))) ?? null;
    const request = await asTenant(db, tenant, (tx) => asked(tx, tenant, one, { meaning, generator: generator.name }));
    let reply = "";
    try {
      for await (const delta of streamReply(generator, { ...request, background: true }, signal)) reply += delta;
    } catch (error) {
      if (!isBudgetSpent(error)) throw error;
      // Those that were asked today are asked again with the rest: an answer of yesterday says nothing about tomorrow's twin.
      const data = { organizationId: tenant.organizationId, userId: tenant.userId, twinId };
      return asTenant(db, tenant, (tx) => jobs.enqueue(tx, "replay-corrections", data, nextUsageDay(new Date())));
    }
    const result = holds(one, reply.trim()) ? "passed" : "failed";
    await asTenant(db, tenant, (tx) =>
      tx
        .update(corrections)
        .set({ caseResult: result, caseBefore: one.caseResult, caseReply: reply.trim(), caseCheckedAt: new Date() })
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

/** As whoever asked it would be answered now. */
async function asked(
  tx: Tx,
  tenant: Tenant,
  { id, twinId, contactId, question, context }: Case,
  answering: Pick<IncomingMessage, "meaning" | "generator">,
): Promise<ReplyRequest> {
  const audience: Audience = contactId === null ? { kind: "owner" } : { kind: "contact", contactId };
  const opened = await openTwin(tx, tenant, twinId, { contactId });
  const [contact] = await tx
    .select({ address: contacts.tone, styleGroup: contacts.styleGroup })
    .from(contacts)
    .where(eq(contacts.id, contactId ?? 0));
  return prepareReply({
    ...opened,
    message: question,
    history: context,
    audience,
    ...answering,
    ...(contact === undefined ? {} : { contact: { facts: [], ...contact } }),
    seed: `case:${id}`,
  });
}

/** A fact is said, an exemplar given in its very words, every rule kept. */
function holds({ kind, text, rules, context }: Case, reply: string): boolean {
  if (kind === "exemplar") return plain(reply) === plain(text);
  if (kind === "fact") return says(reply, text);
  const opening = !context.some(({ role }) => role === "assistant");
  return rules.every((rule) => keepsRule(reply, rule, { opening }));
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
