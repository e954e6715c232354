/** Drafts of a twin and what their owner decides; what may not have arrived is the owner's to send again. */
import { and, asc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { APPROVALS_LIMIT, type Approval, UNDO_SECONDS } from "#contract/approvals.ts";
import { conversationNotFound, readableBy } from "#server/conversations/access.ts";
import { mustBeTeachable } from "#server/corrections/teach-sent.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, integrations, outbox, replyFeedback, twins } from "#server/db/schema.ts";
import { conflict, notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { canChange } from "#server/organizations/access.ts";
import type { Grounds } from "#server/replies/reply.ts";
import { ALL_STOPPED } from "./answer-rules.ts";
import { lockTwinOf } from "./contact-conversation.ts";
import { DRAFT_VERSION } from "./draft-version.ts";
import { isStopped } from "./stop-switch.ts";

interface ApprovalDeps {
  db: Database;
  jobs: Jobs;
}

const shown = {
  ...getTableColumns(outbox),
  contactName: conversations.participantName,
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

/** What waits, may not have arrived or has failed; oldest first. Of one twin or in one state where that is asked for. */
export async function listApprovals(
  db: Database,
  viewer: Tenant,
  { twinId, states = OPEN }: { twinId?: string; states?: readonly Row["state"][] } = {},
): Promise<Approval[]> {
  const rows = await asTenant(db, viewer, (tx) =>
    rowsOf(tx)
      .where(and(inArray(outbox.state, [...states]), twinId === undefined ? undefined : eq(twins.id, twinId)))
      .orderBy(asc(outbox.createdAt), asc(outbox.id))
      .limit(APPROVALS_LIMIT),
  );
  return rows.map(toApproval);
}

/** How many of them the viewer may decide on, APPROVALS_LIMIT at most. */
export async function countWaiting(db: Database, viewer: Viewer): Promise<{ waiting: number }> {
  if (viewer.role === "viewer") return { waiting: 0 };
  const own = viewer.role === "user" ? eq(twins.ownerId, viewer.userId) : undefined;
  const rows = await asTenant(db, viewer, (tx) =>
    tx
      .select({ id: outbox.id })
      .from(outbox)
      .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
      .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
      .innerJoin(twins, eq(twins.id, conversations.twinId))
      .where(and(inArray(outbox.state, [...OPEN]), eq(twins.orgId, viewer.organizationId), own))
      .limit(APPROVALS_LIMIT),
  );
  return { waiting: rows.length };
}

/** What of it is not settled in one conversation; oldest first. @throws Problem 404 */
export function conversationAnswers(db: Database, viewer: Viewer, id: string): Promise<Approval[]> {
  return asTenant(db, viewer, async (tx) => {
    const [talk] = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.id, id), readableBy(viewer)));
    if (talk === undefined) throw conversationNotFound();
    const rows = await rowsOf(tx)
      .where(and(eq(outbox.conversationId, id), inArray(outbox.state, [...OPEN, "pending", "sending"])))
      .orderBy(asc(outbox.createdAt), asc(outbox.id))
      .limit(APPROVALS_LIMIT);
    return rows.map(toApproval);
  });
}

/** @throws Problem 404, 403; 409 when it is no draft any more, or not the one that was shown */
export function mustBeDraft(db: Database, viewer: Viewer, id: string, shown: string): Promise<void> {
  return asTenant(db, viewer, async (tx) => mustBeShown(tx, await changeable(tx, viewer, id), shown));
}

/** @throws Problem 404, 403; 409 when it is no draft any more */
export function editDraft(db: Database, viewer: Viewer, id: string, text: string): Promise<Approval> {
  return asTenant(db, viewer, async (tx) => {
    const row = await changeable(tx, viewer, id);
    if (row.state !== "draft") throw decided();
    await tx
      .update(outbox)
      .set({ text, original: row.original ?? row.text, decidedBy: viewer.userId })
      .where(eq(outbox.id, id));
    return approvalOf(tx, id);
  });
}

export interface Decision {
  /** It goes out a little later, and until then can be taken back. */
  undoable?: boolean;
  /** What of the draft is before the member's eyes (draft-version.ts), where the screen cannot follow by itself. */
  shown?: string;
  /** His own words in place of the draft's. */
  text?: string;
  /** Once they have gone out, the twin answers so by itself. */
  teaches?: boolean;
}

/**
 * Lets the draft go out; again what failed or may not have arrived: only the owner may risk that it comes twice. What he has
 * sent in his own words is kept as a correction of what the twin would have said.
 * @throws Problem 404, 403; 409 when it was decided before, is not what was shown, or nothing may be sent there now; 422: it may not be taught
 */
export function approve(
  { db, jobs }: ApprovalDeps,
  viewer: Viewer,
  id: string,
  { undoable = false, shown, text, teaches = false }: Decision = {},
): Promise<Approval> {
  return asTenant(db, viewer, async (tx) => {
    const found = await changeable(tx, viewer, id);
    if (!OPEN.includes(found.state)) throw decided();
    if (shown !== undefined) await mustBeShown(tx, found, shown);
    if (text !== undefined && found.state !== "draft") throw decided();
    const row = text === undefined ? found : { ...found, text, original: found.original ?? found.text };
    if (row.text === "") throw conflict("no_answer_yet", "Ответа ещё нет: напишите его сами");
    const stopped = row.author === null && (await isStopped(tx, viewer.organizationId));
    const obstacle = stopped ? `${ALL_STOPPED}: сначала включите их` : obstacleOf(row);
    if (obstacle !== null) throw conflict("cannot_send", obstacle);
    if (teaches) await mustBeTeachable(tx, viewer, row.twin.id, row.text);
    const again = row.state !== "draft";
    const at = new Date(Date.now() + (undoable && !again ? UNDO_SECONDS * 1000 : 0));
    await tx
      .update(outbox)
      .set({
        state: "pending",
        text: row.text,
        original: row.original,
        teaches,
        // A draft that is taken back says again why it waits.
        ...(again ? { reason: null } : {}),
        decidedBy: viewer.userId,
        nextAttemptAt: at,
        ...(again ? { attempts: 0 } : {}),
      })
      .where(eq(outbox.id, id));
    if (!again && row.original && row.original !== row.text) await keepCorrection(tx, viewer, row);
    const { organizationId, userId } = viewer;
    await jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: row.conversationId }, at);
    return approvalOf(tx, id);
  });
}

/** @throws Problem 409: what is decided on must be what was read */
async function mustBeShown(tx: Tx, { id, state }: Row, shown: string): Promise<void> {
  if (state !== "draft") throw decided();
  const [now] = await tx.select({ version: DRAFT_VERSION }).from(outbox).where(eq(outbox.id, id));
  if (now?.version !== shown) throw draftChanged();
}

export const draftChanged = () => conflict("draft_changed", "Черновик изменился: прочтите его ещё раз и решите");

/** Once for each draft, whoever of the owner and his administrators has decided last. */
async function keepCorrection(tx: Tx, { organizationId: orgId, userId }: Viewer, row: Row): Promise<void> {
  await tx
    .insert(replyFeedback)
    .values({ orgId, twinId: row.twin.id, outboxId: row.id, userId, correction: row.text })
    .onConflictDoUpdate({
      target: replyFeedback.outboxId,
      set: { userId, correction: row.text, settledAt: null, createdAt: sql`now()` },
    });
}

/** @throws Problem 404, 403; 409 when it has gone out, or nobody has sent it */
export function undo(db: Database, viewer: Viewer, id: string): Promise<Approval> {
  return asTenant(db, viewer, async (tx) => {
    const row = await changeable(tx, viewer, id);
    if (undoUntil(row) === null) throw conflict("too_late", "Ответ уже отправляется");
    await tx.update(outbox).set({ state: "draft", decidedBy: null }).where(eq(outbox.id, id));
    await tx.delete(replyFeedback).where(eq(replyFeedback.outboxId, id));
    return approvalOf(tx, id);
  });
}

function undoUntil({ state, attempts, author, decidedBy, nextAttemptAt }: Row): Date | null {
  const waits = state === "pending" && attempts === 0 && author === null && decidedBy !== null;
  return waits && nextAttemptAt > new Date() ? nextAttemptAt : null;
}

/** Why a draft that its owner did not want was cancelled. */
export const REJECTED = "Отклонено";

/** @throws Problem 404, 403; 409 when it was decided before, or is not what was shown */
export function reject(
  db: Database,
  viewer: Viewer,
  id: string,
  { shown }: Pick<Decision, "shown"> = {},
): Promise<Approval> {
  return asTenant(db, viewer, async (tx) => {
    const row = await changeable(tx, viewer, id);
    if (!OPEN.includes(row.state)) throw decided();
    if (shown !== undefined) await mustBeShown(tx, row, shown);
    await tx
      .update(outbox)
      .set({ state: "cancelled", reason: REJECTED, decidedBy: viewer.userId })
      .where(eq(outbox.id, id));
    return approvalOf(tx, id);
  });
}

const decided = () => conflict("already_decided", "Этот ответ уже отправлен или отклонён");

/** Said at once instead of a draft that is cancelled a moment later. */
function obstacleOf(row: Row): string | null {
  const own = row.author === "owner";
  if (!own && !row.twin.isActive) return "Двойник приостановлен. Включите его в настройках.";
  if (row.integrationStatus !== "active") return "Интеграция приостановлена. Включите её, чтобы отправить ответ.";
  if (row.optedOutAt !== null) return "Собеседник попросил больше не писать";
  if (!own && row.pausedUntil !== null && row.pausedUntil > new Date())
    return "Диалог ведёте вы: сначала верните его двойнику";
  return null;
}

async function changeable(tx: Tx, viewer: Viewer, id: string): Promise<Row> {
  const [found] = await tx.select({ talk: outbox.conversationId }).from(outbox).where(eq(outbox.id, id));
  if (found === undefined) throw approvalNotFound();
  await lockTwinOf(tx, found.talk);
  // Two decisions take turns, and so do a decision and a send.
  await tx.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id)).for("update");
  const [row] = await rowsOf(tx).where(eq(outbox.id, id));
  if (row === undefined) throw approvalNotFound();
  canChange(viewer, row.twin);
  return row;
}

const approvalNotFound = () => notFound("Ответ не найден", "approval_not_found");

export async function approvalOf(tx: Tx, id: string): Promise<Approval> {
  const [row] = await rowsOf(tx).where(eq(outbox.id, id));
  return toApproval(row!);
}

function toApproval(row: Row): Approval {
  const { id, conversationId, contactName, platform, question, text, state, reason, confidence } = row;
  return {
    id,
    conversationId,
    twinId: row.twin.id,
    twinName: row.twin.name,
    platform,
    contactName,
    author: row.author ?? "twin",
    question,
    text,
    state,
    reason,
    confidence,
    basis: (row.grounds as Grounds | null)?.basis ?? null,
    sources: (row.grounds as Grounds | null)?.sources ?? [],
    createdAt: row.createdAt.toISOString(),
    undoUntil: undoUntil(row)?.toISOString() ?? null,
  };
}
