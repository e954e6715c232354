import { and, desc, eq, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import type {
  CorrectedAnswer,
  Correction,
  CorrectionInput,
  Corrections,
  CorrectionUpdate,
  Proposal,
  ProposalInput,
  StyleRule,
  WaitingCorrection,
} from "#contract/corrections.ts";
import { getOwnTwin, type TwinRow } from "#server/accounts/twins/twins.ts";
import { keepFirstVersion, keepVersion } from "#server/accounts/twins/versions.ts";
import { requestEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import {
  conversationMessages,
  conversations,
  outbox,
  replyFeedback,
} from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { failedJobAt } from "#server/platform/jobs/job-state.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { countAskers } from "./askers.ts";
import { type CorrectedExchange, correctedAnswer, findCorrectedAnswer, ownConversation } from "./corrected-answer.ts";
import { findRules } from "./find-rules.ts";
import { personalReason } from "./personal.ts";
import { suggestedKind } from "./propose.ts";

const LISTED = 300;
const WAITING = 20;

type Row = typeof corrections.$inferSelect;
type CorrectionFields = Omit<CorrectionInput, "from" | "scope"> & { scope: CorrectionScope };

interface Deps {
  db: Database;
  jobs: Jobs;
  /** When set, corrections are also matched by embedding. */
  queryEmbedder: QueryEmbedder | null;
}

/** @throws Problem 404 */
export function listCorrections(db: Database, caller: Caller, twinId: string): Promise<Corrections> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const rows = await withNames(tx, and(eq(corrections.twinId, twinId), ne(corrections.state, "removed"))!);
    return {
      corrections: rows.map(toJson),
      waiting: await waitingOf(tx, caller, twinId),
      failedAt: (await failedJobAt(tx, "replay-corrections", twinId))?.toISOString() ?? null,
    };
  });
}

/** Proposes what can be learnt from the owner's wording of an answer; stores nothing. @throws Problem 404 */
export function proposeCorrection(
  db: Database,
  caller: Tenant,
  twinId: string,
  { from, correction: text }: ProposalInput,
): Promise<Proposal> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const { question, twinReply, contact } = await correctedAnswer({ tx, twinId, ownerId: caller.userId }, from);
    const rules = findRules(twinReply, text);
    const spoken = contact === null ? [question, text] : [text];
    const personal = await personalReason(tx, twinId, spoken, { withContact: contact !== null });
    // A message to one person, and its style, stays private to that person unless the owner publishes it.
    const own: CorrectionScope = contact === null ? "everybody" : "contact";
    return {
      suggested: suggestedKind({ question, twinReply, text }, rules),
      question,
      twinReply,
      text,
      rules,
      contactName: contact?.name ?? null,
      scopes: { fact: own, style: own, example: own },
      people: await countAskers(tx, twinId, question, contact?.id ?? null),
      personal,
    };
  });
}

/**
 * Takes effect with the next answer, only for the contact unless `scope` publishes it.
 * @throws Problem 404; 422 when the text must not be sent or published, or there is no contact
 */
export function acceptCorrection(
  deps: Deps,
  caller: Tenant,
  twinId: string,
  { from, scope = "contact", ...correction }: CorrectionInput,
): Promise<Correction> {
  return asTenant(deps.db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const exchange = await correctedAnswer({ tx, twinId, ownerId: caller.userId }, from);
    await keepFirstVersion(tx, twin);
    const id = await insert(tx, caller, twinId, exchange, { ...correction, scope });
    await settle(tx, caller, twinId, from);
    await keepVersion(tx, twin, "corrections", caller.userId);
    await requestEmbeddings(tx, deps, { ...caller, twinId });
    return one(tx, twinId, id);
  });
}

/** Declines the correction, so that the owner is not asked about it again. @throws Problem 404 */
export function declineCorrection(db: Database, caller: Caller, twinId: string, from: CorrectedAnswer): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    await correctedAnswer({ tx, twinId, ownerId: caller.userId }, from);
    await settle(tx, caller, twinId, from);
  });
}

/**
 * A correction limited to its contact is limited in its own row, so that restoring an earlier version of the twin does not publish it
 * again.
 * @throws Problem 404; 422 like `acceptCorrection`
 */
export function updateCorrection(
  deps: Deps,
  caller: Caller,
  twinId: string,
  id: string,
  { active, caseKept, scope: narrowed, lesson: changed }: CorrectionUpdate,
): Promise<Correction> {
  return change(deps.db, caller, twinId, id, async (tx, row) => {
    // A correction that was off during the last embedding run has no embedding yet.
    await requestEmbeddings(tx, deps, { ...caller, twinId });
    const { question, context, twinReply, chatId, contactId, contactName, factSubject } = row;
    if (changed === undefined) {
      if (narrowed !== undefined && contactId === null) throw withoutContact();
      const audience = narrowed === undefined ? undefined : contactId!;
      const state = active === undefined ? undefined : active ? ("active" as const) : ("off" as const);
      await tx.update(corrections).set({ state, caseKept, audience }).where(eq(corrections.id, id));
      return one(tx, twinId, id);
    }
    const contact = contactId === null ? null : { id: contactId, name: contactName ?? "" };
    const scope = changed.scope ?? keptScope(row, changed.kind);
    const audience = scope === "contact" ? (contactId ?? undefined) : undefined;
    await tx.update(corrections).set({ state: "removed", audience }).where(eq(corrections.id, id));
    const exchange = { question, context, twinReply, contact, chatId };
    return one(tx, twinId, await insert(tx, caller, twinId, exchange, { ...changed, scope }, factSubject));
  });
}

const scopeOf = ({ audience }: Pick<Row, "audience">): CorrectionScope => (audience === 0 ? "everybody" : "contact");

/** A style rule that applied to everyone and becomes an answer is limited to its contact: only he had received its words. */
const keptScope = (row: Row, kind: CorrectionFields["kind"]): CorrectionScope =>
  row.kind === "style" && kind !== "style" ? "contact" : scopeOf(row);

/** Deactivates the correction; its row remains, because versions of the twin refer to it. @throws Problem 404 */
export async function removeCorrection(db: Database, caller: Caller, twinId: string, id: string): Promise<void> {
  await change(db, caller, twinId, id, (tx) =>
    tx.update(corrections).set({ state: "removed" }).where(eq(corrections.id, id)),
  );
}

/** @throws Problem 404 */
export function requestReplay(
  { db, jobs }: Pick<Deps, "db" | "jobs">,
  caller: Caller,
  twinId: string,
): Promise<{ queued: true }> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const { organizationId, userId } = caller;
    await jobs.enqueue(tx, "replay-corrections", { organizationId, userId, twinId });
    return { queued: true as const };
  });
}

type NamedRow = Row & { contactName: string | null };

function change<T>(
  db: Database,
  caller: Caller,
  twinId: string,
  id: string,
  work: (tx: Tx, row: NamedRow, twin: TwinRow) => Promise<T>,
): Promise<T> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const [row] = await withNames(tx, and(eq(corrections.twinId, twinId), eq(corrections.id, id))!);
    if (row === undefined) throw correctionNotFound();
    await keepFirstVersion(tx, twin);
    const result = await work(tx, row, twin);
    await keepVersion(tx, twin, "corrections", caller.userId);
    return result;
  });
}

const correctionNotFound = () => notFound("Исправление не найдено", "correction_not_found");

async function insert(
  tx: Tx,
  caller: Tenant,
  twinId: string,
  exchange: CorrectedExchange,
  correction: CorrectionFields,
  factSubject: Buffer | null = null,
): Promise<string> {
  const { kind, question, rewordings = [], text, scope } = correction;
  const rules = kind === "style" ? correction.rules : [];
  await requireSayable(tx, twinId, exchange, { ...correction, rules });
  const [row] = await tx
    .insert(corrections)
    .values({
      orgId: caller.organizationId,
      twinId,
      kind,
      question,
      rewordings: kind === "style" ? [] : rewordings,
      context: question === exchange.question ? exchange.context : [],
      twinReply: exchange.twinReply,
      text,
      rules,
      audience: scope === "contact" ? exchange.contact!.id : 0,
      contactId: exchange.contact?.id ?? null,
      chatId: exchange.chatId,
      factSubject: kind === "fact" ? factSubject : null,
      createdBy: caller.userId,
    })
    .returning({ id: corrections.id });
  return row!.id;
}

/** @throws Problem 422 */
async function requireSayable(
  tx: Tx,
  twinId: string,
  { contact }: CorrectedExchange,
  { kind, question, text, rules, scope }: CorrectionFields,
): Promise<void> {
  if (kind === "style" && rules.length === 0) throw unprocessable("no_rules", "Отметьте хотя бы одно правило");
  if (kind !== "style" && claimsToBeHuman(text)) {
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
  }
  if (scope === "contact") {
    if (contact === null) throw withoutContact();
    return;
  }
  const spoken = kind === "style" ? phrasesOf(rules) : contact === null ? [question, text] : [text];
  const personal = await personalReason(tx, twinId, spoken, { withContact: contact !== null });
  if (personal === null) return;
  const way = contact === null ? "Уберите это" : "Уберите это или запомните только для этого собеседника";
  throw unprocessable("personal_correction", `${personal} ${way}: другим двойник такого не скажет.`);
}

const withoutContact = () =>
  unprocessable("no_contact", "Это тестовый чат: собеседника, для которого это запомнить, нет");

const phrasesOf = (rules: readonly StyleRule[]) =>
  rules.flatMap((rule) => (rule.habit === "phrase" ? [rule.phrase] : []));

async function settle(tx: Tx, caller: Tenant, twinId: string, { kind, id }: CorrectedAnswer): Promise<void> {
  if (kind === "example") return;
  const about =
    kind === "feedback"
      ? eq(replyFeedback.id, Number(id))
      : and(eq(replyFeedback.messageId, Number(id)), eq(replyFeedback.userId, caller.userId));
  await tx
    .update(replyFeedback)
    .set({ settledAt: new Date() })
    .where(and(about, eq(replyFeedback.twinId, twinId)));
}

async function withNames(tx: Tx, condition: SQL): Promise<NamedRow[]> {
  const rows = await tx
    .select({ row: corrections, contactName: contacts.name })
    .from(corrections)
    .leftJoin(contacts, eq(contacts.id, corrections.contactId))
    .where(condition)
    .orderBy(desc(corrections.place))
    .limit(LISTED);
  return rows.map(({ row, contactName }) => ({ ...row, contactName }));
}

async function one(tx: Tx, twinId: string, id: string): Promise<Correction> {
  const [row] = await withNames(tx, and(eq(corrections.twinId, twinId), eq(corrections.id, id))!);
  return toJson(row!);
}

async function waitingOf(tx: Tx, caller: Caller, twinId: string): Promise<WaitingCorrection[]> {
  const rows = await tx
    .select({ id: replyFeedback.id, correction: replyFeedback.correction, createdAt: replyFeedback.createdAt })
    .from(replyFeedback)
    .leftJoin(conversationMessages, eq(conversationMessages.id, replyFeedback.messageId))
    .leftJoin(outbox, eq(outbox.id, replyFeedback.outboxId))
    .innerJoin(
      conversations,
      or(eq(conversations.id, conversationMessages.conversationId), eq(conversations.id, outbox.conversationId)),
    )
    .where(
      and(
        eq(replyFeedback.twinId, twinId),
        isNotNull(replyFeedback.correction),
        isNull(replyFeedback.settledAt),
        ownConversation({ twinId, ownerId: caller.userId }),
        isNull(conversationMessages.author),
      ),
    )
    .orderBy(desc(replyFeedback.createdAt), desc(replyFeedback.id))
    .limit(WAITING);
  const waiting: WaitingCorrection[] = [];
  for (const { id, correction, createdAt } of rows) {
    const from = { kind: "feedback", id: String(id) } as const;
    const exchange = await findCorrectedAnswer({ tx, twinId, ownerId: caller.userId }, from);
    if (exchange === null) continue;
    const { question, twinReply, contact } = exchange;
    waiting.push({
      from,
      question,
      twinReply,
      correction: correction!,
      contactName: contact?.name ?? null,
      createdAt: createdAt.toISOString(),
    });
  }
  return waiting;
}

function toJson(row: NamedRow): Correction {
  const { id, kind, question, rewordings, twinReply, text, rules, contactName, state } = row;
  return {
    id,
    kind,
    question,
    rewordings,
    twinReply,
    text,
    rules,
    scope: scopeOf(row),
    contactName,
    active: state === "active",
    createdAt: row.createdAt.toISOString(),
    case: row.caseKept
      ? { state: caseState(row), reply: row.caseReply, checkedAt: row.caseCheckedAt?.toISOString() ?? null }
      : null,
  };
}

function caseState({ caseResult, caseBefore }: Row): NonNullable<Correction["case"]>["state"] {
  if (caseResult === null) return "unchecked";
  if (caseResult === "passed") return "passed";
  return caseBefore === "failed" ? "failed" : "broken";
}
