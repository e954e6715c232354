/** Lists a twin's drafts and applies the owner's decisions. Only the owner may resend what may have arrived. */

import { and, asc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { type Approval, UNDO_SECONDS } from "#contract/conversations/approvals.ts";
import { APPROVALS_LIMIT } from "#contract/conversations/approvals-limit.ts";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { canChange } from "#server/accounts/organizations/access.ts";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import { ALL_STOPPED } from "#server/inbox/conversation-control/answer-policy.ts";
import { lockTwinOf } from "#server/inbox/conversation-control/contact-conversation.ts";
import { endUnprovenStop } from "#server/inbox/conversation-control/opt-out-orders.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import { conversationNotFound, readableBy } from "#server/inbox/conversations/access.ts";
import { countAskersByAnswer } from "#server/inbox/unanswered/askers-by-answer.ts";
import { isUnanswered, recordUnanswered, sortStartTime } from "#server/inbox/unanswered/unanswered.ts";
import { requireTeachable } from "#server/knowledge/corrections/teach-sent.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { HIDDEN_WORDS, isReadable, mayRead } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, forbidden, notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { DRAFT_VERSION } from "./draft-version.ts";

interface ApprovalDeps {
  db: Database;
  jobs: Jobs;
}

const shown = {
  ...getTableColumns(outbox),
  contactName: conversations.participantName,
  contactId: conversations.contactId,
  pausedUntil: conversations.pausedUntil,
  optedOutAt: conversations.optedOutAt,
  platform: integrations.platform,
  integrationStatus: integrations.status,
  twin: { id: twins.id, name: twins.name, orgId: twins.orgId, ownerId: twins.ownerId, isActive: twins.isActive },
};

const rowsOf = (tx: Tx) =>
  tx
    .select(shown)
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId));

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const OPEN: readonly Row["state"][] = ["draft", "unknown", "failed"];

/** Condition on `outbox`: the answer waits for approval, may not have arrived, or has failed. */
export const isUndecided = inArray(outbox.state, [...OPEN]);

/** Lists such answers, oldest first; optionally of one twin or in one state. */
export async function listApprovals(
  db: Database,
  caller: Tenant,
  { twinId, states = OPEN }: { twinId?: string; states?: readonly Row["state"][] } = {},
): Promise<Approval[]> {
  return asTenant(db, caller, async (tx) => {
    const rows = await rowsOf(tx)
      .where(and(inArray(outbox.state, [...states]), twinId === undefined ? undefined : eq(twins.id, twinId)))
      .orderBy(asc(outbox.createdAt), asc(outbox.id))
      .limit(APPROVALS_LIMIT);
    return withPeople(tx, caller, rows);
  });
}

/** Adds to unanswered questions how many people asked them. Only the twin's owner may know this, as for all gaps. */
async function withPeople(tx: Tx, reader: Tenant, rows: readonly Row[]): Promise<Approval[]> {
  const open = rows.filter(
    ({ state, citations, twin }) =>
      state === "draft" && twin.ownerId === reader.userId && citations !== null && isUnanswered(citations as Citations),
  );
  const people = await countAskersByAnswer(
    tx,
    open.map(({ id }) => id),
  );
  return rows.map((row) => {
    const asked = people.get(row.id);
    return { ...toApproval(row, reader), ...(asked === undefined ? {} : { people: asked }) };
  });
}

/** Number of answers that the caller may decide on, at most APPROVALS_LIMIT. */
export async function countWaiting(db: Database, caller: Caller): Promise<{ waiting: number }> {
  if (caller.role === "viewer") return { waiting: 0 };
  const own = caller.role === "user" ? eq(twins.ownerId, caller.userId) : undefined;
  const rows = await asTenant(db, caller, (tx) =>
    tx
      .select({ id: outbox.id })
      .from(outbox)
      .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
      .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
      .innerJoin(twins, eq(twins.id, conversations.twinId))
      .where(
        and(
          isUndecided,
          eq(twins.orgId, caller.organizationId),
          own,
          isReadable(caller, outbox.secrecy, twins.ownerId),
        ),
      )
      .limit(APPROVALS_LIMIT),
  );
  return { waiting: rows.length };
}

/** Lists the unsettled answers of one conversation, oldest first. @throws Problem 404 */
export function conversationAnswers(db: Database, caller: Caller, id: string): Promise<Approval[]> {
  return asTenant(db, caller, async (tx) => {
    const [conversation] = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.id, id), readableBy(caller)));
    if (conversation === undefined) throw conversationNotFound();
    const rows = await rowsOf(tx)
      .where(and(eq(outbox.conversationId, id), inArray(outbox.state, [...OPEN, "pending", "sending"])))
      .orderBy(asc(outbox.createdAt), asc(outbox.id))
      .limit(APPROVALS_LIMIT);
    return withPeople(tx, caller, rows);
  });
}

/** @throws Problem 404, 403; 409 when it is no longer a draft, or not the version that was shown */
export function requireDraft(db: Database, caller: Caller, id: string, shown: string): Promise<void> {
  return asTenant(db, caller, async (tx) => requireCurrentVersion(tx, await changeable(tx, caller, id), shown));
}

/** @throws Problem 404, 403; 409 when it is no longer a draft */
export function editDraft(db: Database, caller: Caller, id: string, text: string): Promise<Approval> {
  return asTenant(db, caller, async (tx) => {
    const row = await changeable(tx, caller, id);
    if (row.state !== "draft") throw decided();
    await tx
      .update(outbox)
      .set({ text, original: row.original ?? row.text, decidedBy: caller.userId })
      .where(eq(outbox.id, id));
    return approvalOf(tx, caller, id);
  });
}

interface Decision {
  /** Sends the answer with a short delay in which it can be undone. */
  undoable?: boolean;
  /** The draft's version that the member saw (draft-version.ts), for screens that do not update automatically. */
  shown?: string;
  text?: string;
  /** Scope in which the twin learns the answer once it was sent; absent: it learns nothing. */
  teaches?: CorrectionScope;
}

/**
 * Sends a draft, or resends an answer that failed or may not have arrived. Only the owner may do the latter, because it may arrive twice.
 * The owner's own text is kept as a correction.
 * @throws Problem 404, 403; 409 when it was decided before, is not what was shown, or nothing may be sent there now; 422 when it may not be
 * taught
 */
export function approve(
  { db, jobs }: ApprovalDeps,
  caller: Caller,
  id: string,
  { undoable = false, shown, text, teaches }: Decision = {},
): Promise<Approval> {
  return asTenant(db, caller, async (tx) => {
    const found = await changeable(tx, caller, id);
    if (!OPEN.includes(found.state)) throw decided();
    if (shown !== undefined) await requireCurrentVersion(tx, found, shown);
    if (text !== undefined && found.state !== "draft") throw decided();
    const row = text === undefined ? found : { ...found, text, original: found.original ?? found.text };
    if (row.text === "") throw conflict("no_answer_yet", "Ответа ещё нет: напишите его сами");
    const stopped = row.author === null && (await isStopped(tx, caller.organizationId));
    const obstacle = stopped ? `${ALL_STOPPED}: сначала включите их` : obstacleOf(row);
    if (obstacle !== null) throw conflict("cannot_send", obstacle);
    if (teaches !== undefined && (row.citations as Citations | null)?.calls !== undefined)
      throw unprocessable(
        "personal_correction",
        "Ответ взят из вашей системы для этого собеседника: учить ему нельзя.",
      );
    if (teaches !== undefined) await requireTeachable(tx, caller, row.twin.id, { text: row.text, scope: teaches });
    const again = row.state !== "draft";
    const at = new Date(Date.now() + (undoable && !again ? UNDO_SECONDS * 1000 : 0));
    await tx
      .update(outbox)
      .set({
        state: "pending",
        text: row.text,
        original: row.original,
        teaches: false,
        teachesScope: teaches ?? null,
        // The draft's reason is kept, so that an undone approval shows it again.
        ...(again ? { reason: null } : {}),
        decidedBy: caller.userId,
        nextAttemptAt: at,
        ...(again ? { attempts: 0 } : {}),
      })
      .where(eq(outbox.id, id));
    await endUnprovenStop(tx, row.contactId);
    if (!again && row.original && row.original !== row.text) await keepCorrection(tx, caller, row);
    const { organizationId, userId } = caller;
    await jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: row.conversationId }, at);
    return approvalOf(tx, caller, id);
  });
}

/** @throws Problem 409 when the draft is not the version that was read */
async function requireCurrentVersion(tx: Tx, { id, state }: Row, shown: string): Promise<void> {
  if (state !== "draft") throw decided();
  const [now] = await tx.select({ version: DRAFT_VERSION }).from(outbox).where(eq(outbox.id, id));
  if (now?.version !== shown) throw draftChanged();
}

export const draftChanged = () => conflict("draft_changed", "Черновик изменился: прочтите его ещё раз и решите");

/** Keeps one correction for each draft, from the owner or administrator who decided last. */
async function keepCorrection(tx: Tx, { organizationId: orgId, userId }: Caller, row: Row): Promise<void> {
  await tx
    .insert(replyFeedback)
    .values({ orgId, twinId: row.twin.id, outboxId: row.id, userId, correction: row.text, secrecy: row.secrecy })
    .onConflictDoUpdate({
      target: replyFeedback.outboxId,
      set: { userId, correction: row.text, settledAt: null, createdAt: sql`now()` },
    });
}

/** Takes back an approval or a rejection. @throws Problem 404, 403; 409 when it was sent already, or was never decided on */
export function undo(db: Database, caller: Caller, id: string): Promise<Approval> {
  return asTenant(db, caller, async (tx) => {
    const row = await changeable(tx, caller, id);
    if (undoUntil(row) === null) throw conflict("too_late", "Ответ уже отправляется");
    const reason = reasonBeforeRejection(row);
    await tx.update(outbox).set({ state: "draft", reason, decidedBy: null }).where(eq(outbox.id, id));
    await tx.delete(replyFeedback).where(eq(replyFeedback.outboxId, id));
    return approvalOf(tx, caller, id);
  });
}

function undoUntil(row: Row): Date | null {
  const { state, attempts, author, decidedBy, nextAttemptAt } = row;
  const waits = state === "pending" && attempts === 0 && author === null && decidedBy !== null;
  return (waits || isRejected(row)) && nextAttemptAt > new Date() ? nextAttemptAt : null;
}

/** Prefix of a rejected draft's reason. The original reason follows, so that undoing can restore it. */
const REJECTED = "Отклонено";
/** Milliseconds in which a rejection can be undone. It sends nothing, so it may be longer than UNDO_SECONDS. */
const REJECTION_UNDO_MS = 60_000;

const rejectedReason = (reason: string | null) => (reason === null ? REJECTED : `${REJECTED}: ${reason}`);

export const isRejected = ({ state, reason }: Pick<Row, "state" | "reason">) =>
  state === "cancelled" && reason !== null && reason.split(":", 1)[0] === REJECTED;

const reasonBeforeRejection = (row: Row) =>
  isRejected(row) ? row.reason!.slice(REJECTED.length + 2) || null : row.reason;

/**
 * Rejects a draft. A rejected quotation answers nothing, so its question waits for the owner's answer.
 * @throws Problem 404, 403; 409 when it was decided before, or is not what was shown
 */
export function reject(
  { db, jobs }: ApprovalDeps,
  caller: Caller,
  id: string,
  { shown }: Pick<Decision, "shown"> = {},
): Promise<Approval> {
  return asTenant(db, caller, async (tx) => {
    const row = await changeable(tx, caller, id);
    if (!OPEN.includes(row.state)) throw decided();
    if (shown !== undefined) await requireCurrentVersion(tx, row, shown);
    await tx
      .update(outbox)
      .set({
        state: "cancelled",
        reason: rejectedReason(row.reason),
        decidedBy: caller.userId,
        nextAttemptAt: new Date(Date.now() + REJECTION_UNDO_MS),
      })
      .where(eq(outbox.id, id));
    if ((row.citations as Citations | null)?.basis === "quoted") {
      const { orgId, conversationId, question: said, createdAt: until, twin } = row;
      await recordUnanswered(tx, { orgId, twinId: twin.id, conversationId, said, until });
      const { organizationId, userId } = caller;
      await jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId: twin.id }, sortStartTime());
    }
    return approvalOf(tx, caller, id);
  });
}

const decided = () => conflict("already_decided", "Этот ответ уже отправлен или отклонён");

/** Returns why an answer cannot be sent. The member learns it at once, instead of seeing the send cancelled a moment later. */
function obstacleOf(row: Row): string | null {
  const own = row.author === "owner";
  if (!own && !row.twin.isActive) return "Двойник приостановлен. Включите его в настройках.";
  if (row.integrationStatus !== "active") return "Интеграция приостановлена. Включите её, чтобы отправить ответ.";
  if (row.optedOutAt !== null) return "Собеседник попросил больше не писать";
  if (!own && row.pausedUntil !== null && row.pausedUntil > new Date())
    return "Диалог ведёте вы: сначала верните его двойнику";
  return null;
}

async function changeable(tx: Tx, caller: Caller, id: string): Promise<Row> {
  const [found] = await tx.select({ conversationId: outbox.conversationId }).from(outbox).where(eq(outbox.id, id));
  if (found === undefined) throw approvalNotFound();
  await lockTwinOf(tx, found.conversationId);
  // The lock makes two decisions take turns, and also a decision and a send.
  await tx.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id)).for("update");
  const [row] = await rowsOf(tx).where(eq(outbox.id, id));
  if (row === undefined) throw approvalNotFound();
  canChange(caller, row.twin);
  if (!mayRead(caller, row.secrecy, row.twin.ownerId)) throw privateDraft();
  return row;
}

/** A decision requires reading the private draft. Another member may still write to the contact himself. */
const privateDraft = () =>
  forbidden("private_draft", "Этот ответ составлен из личной переписки владельца двойника: решает только он");

const approvalNotFound = () => notFound("Ответ не найден", "approval_not_found");

export async function approvalOf(tx: Tx, reader: Tenant, id: string): Promise<Approval> {
  const [row] = await rowsOf(tx).where(eq(outbox.id, id));
  return toApproval(row!, reader);
}

function toApproval(row: Row, reader: Tenant): Approval {
  const { id, conversationId, contactName, platform, question, state, reason, confidence } = row;
  const hidden = !mayRead(reader, row.secrecy, row.twin.ownerId);
  const { track, doubtful, why, calls, scripted } = (row.citations ?? {}) as Pick<
    Approval,
    "track" | "doubtful" | "calls" | "scripted"
  > & { why?: string };
  return {
    id,
    conversationId,
    twinId: row.twin.id,
    twinName: row.twin.name,
    platform,
    contactName,
    author: row.author ?? "twin",
    question,
    text: hidden ? HIDDEN_WORDS : row.text,
    ...(hidden ? { hidden } : {}),
    state,
    reason: state === "draft" && !hidden ? (why ?? reason) : reason,
    confidence,
    ...(track === undefined || track.decided === 0 ? {} : { track }),
    // The doubtful pieces of a hidden answer are hidden too, because a piece is as private as the whole.
    ...(hidden || doubtful === undefined ? {} : { doubtful }),
    basis: (row.citations as Citations | null)?.basis ?? null,
    ...(hidden || calls === undefined ? {} : { calls }),
    ...(scripted === undefined ? {} : { scripted }),
    sources: hidden ? [] : ((row.citations as Citations | null)?.sources ?? []),
    createdAt: row.createdAt.toISOString(),
    undoUntil: undoUntil(row)?.toISOString() ?? null,
  };
}
