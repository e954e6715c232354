/** What the owner teaches his twin by correcting its answers: proposed, accepted, switched off and on, taken back. */
import { and, desc, eq, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import type {
  CorrectedAnswer,
  Correction,
  Corrections,
  CorrectionUpdate,
  LessonInput,
  LessonScope,
  Proposal,
  ProposalInput,
  StyleRule,
  WaitingCorrection,
} from "#contract/corrections.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import {
  contacts,
  conversationMessages,
  conversations,
  corrections,
  outbox,
  replyFeedback,
} from "#server/db/schema.ts";
import { notFound, unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { claimsToBeHuman } from "#server/output-guard/human-claim.ts";
import { requestMeanings } from "#server/search/meaning/learn-meanings.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { getOwnTwin, type TwinRow } from "#server/twins/twins.ts";
import { keepFirstVersion, keepVersion } from "#server/twins/versions.ts";
import { type CorrectedTalk, correctedAnswer, findCorrectedAnswer, ownTalk } from "./corrected-answer.ts";
import { findRules } from "./find-rules.ts";
import { personalReason } from "./personal.ts";
import { suggestedKind } from "./propose.ts";

const LISTED = 300;
const WAITING = 20;

type Row = typeof corrections.$inferSelect;
type Lesson = Omit<LessonInput, "from">;

interface Deps {
  db: Database;
  jobs: Jobs;
  /** What is taught is to be found by meaning too, where that is set up. */
  meanings: Meanings | null;
}

/** @throws Problem 404 */
export function listCorrections(db: Database, viewer: Viewer, twinId: string): Promise<Corrections> {
  return asTenant(db, viewer, async (tx) => {
    await getOwnTwin(tx, viewer, twinId);
    const rows = await withNames(tx, and(eq(corrections.twinId, twinId), ne(corrections.state, "removed"))!);
    return { corrections: rows.map(toJson), waiting: await waitingOf(tx, viewer, twinId) };
  });
}

/** What may be learnt of the owner's own wording of an answer. Keeps nothing. @throws Problem 404 */
export function proposeLesson(
  db: Database,
  viewer: Tenant,
  twinId: string,
  { from, correction: text }: ProposalInput,
): Promise<Proposal> {
  return asTenant(db, viewer, async (tx) => {
    await getOwnTwin(tx, viewer, twinId);
    const { question, twinReply, contact } = await correctedAnswer({ tx, twinId, ownerId: viewer.userId }, from);
    const rules = findRules(twinReply, text);
    const spoken = contact === null ? [question, text] : [text];
    const personal = await personalReason(tx, twinId, spoken, { withContact: contact !== null });
    const own: LessonScope = contact === null ? "everybody" : "contact";
    return {
      suggested: suggestedKind({ question, twinReply, text }, rules),
      question,
      twinReply,
      text,
      rules,
      contactName: contact?.name ?? null,
      scopes: {
        // What was written to one person is that person's, unless the owner says that it is for all.
        fact: own,
        // How somebody is spoken to is between the two.
        style: rules.every(({ habit }) => habit === "address") ? own : "everybody",
        exemplar: own,
      },
      personal,
    };
  });
}

/** The next answer knows it. @throws Problem 404; 422: it may not be said, or not to everybody */
export function acceptLesson(
  deps: Deps,
  viewer: Tenant,
  twinId: string,
  { from, ...lesson }: LessonInput,
): Promise<Correction> {
  return asTenant(deps.db, viewer, async (tx) => {
    const twin = await getOwnTwin(tx, viewer, twinId, { lock: true });
    const talk = await correctedAnswer({ tx, twinId, ownerId: viewer.userId }, from);
    await keepFirstVersion(tx, twin);
    const id = await insert(tx, viewer, twinId, talk, lesson);
    await settle(tx, viewer, twinId, from);
    await keepVersion(tx, twin, "corrections", viewer.userId);
    await requestMeanings(tx, deps, { ...viewer, twinId });
    return one(tx, twinId, id);
  });
}

/** Nothing is learnt of it, and it is asked about no more. @throws Problem 404 */
export function declineLesson(db: Database, viewer: Viewer, twinId: string, from: CorrectedAnswer): Promise<void> {
  return asTenant(db, viewer, async (tx) => {
    await getOwnTwin(tx, viewer, twinId);
    await correctedAnswer({ tx, twinId, ownerId: viewer.userId }, from);
    await settle(tx, viewer, twinId, from);
  });
}

/** @throws Problem 404; 422 as `acceptLesson` */
export function updateCorrection(
  deps: Deps,
  viewer: Viewer,
  twinId: string,
  id: string,
  { active, caseKept, lesson }: CorrectionUpdate,
): Promise<Correction> {
  return change(deps.db, viewer, twinId, id, async (tx, row) => {
    // What was off when all was learnt has no vector yet.
    await requestMeanings(tx, deps, { ...viewer, twinId });
    if (lesson === undefined) {
      const state = active === undefined ? undefined : active ? ("active" as const) : ("off" as const);
      await tx.update(corrections).set({ state, caseKept }).where(eq(corrections.id, id));
      return one(tx, twinId, id);
    }
    const { question, context, twinReply, chatId, contactId, contactName, factSubject } = row;
    const contact = contactId === null ? null : { id: contactId, name: contactName ?? "" };
    await tx.update(corrections).set({ state: "removed" }).where(eq(corrections.id, id));
    const talk = { question, context, twinReply, contact, chatId };
    return one(tx, twinId, await insert(tx, viewer, twinId, talk, lesson, factSubject));
  });
}

/** It says nothing any more; its row stays for the versions that name it. @throws Problem 404 */
export async function removeCorrection(db: Database, viewer: Viewer, twinId: string, id: string): Promise<void> {
  await change(db, viewer, twinId, id, (tx) =>
    tx.update(corrections).set({ state: "removed" }).where(eq(corrections.id, id)),
  );
}

/** @throws Problem 404 */
export function requestReplay(
  { db, jobs }: Pick<Deps, "db" | "jobs">,
  viewer: Viewer,
  twinId: string,
): Promise<{ queued: true }> {
  return asTenant(db, viewer, async (tx) => {
    await getOwnTwin(tx, viewer, twinId);
    const { organizationId, userId } = viewer;
    await jobs.enqueue(tx, "replay-corrections", { organizationId, userId, twinId });
    return { queued: true as const };
  });
}

type NamedRow = Row & { contactName: string | null };

function change<T>(
  db: Database,
  viewer: Viewer,
  twinId: string,
  id: string,
  work: (tx: Tx, row: NamedRow, twin: TwinRow) => Promise<T>,
): Promise<T> {
  return asTenant(db, viewer, async (tx) => {
    const twin = await getOwnTwin(tx, viewer, twinId, { lock: true });
    const [row] = await withNames(tx, and(eq(corrections.twinId, twinId), eq(corrections.id, id))!);
    if (row === undefined) throw correctionNotFound();
    await keepFirstVersion(tx, twin);
    const result = await work(tx, row, twin);
    await keepVersion(tx, twin, "corrections", viewer.userId);
    return result;
  });
}

const correctionNotFound = () => notFound("Исправление не найдено", "correction_not_found");

async function insert(
  tx: Tx,
  viewer: Tenant,
  twinId: string,
  talk: CorrectedTalk,
  lesson: Lesson,
  factSubject: Buffer | null = null,
): Promise<string> {
  const { kind, question, rewordings = [], text, scope } = lesson;
  const rules = kind === "style" ? lesson.rules : [];
  await mustBeSayable(tx, twinId, talk, { ...lesson, rules });
  const [row] = await tx
    .insert(corrections)
    .values({
      orgId: viewer.organizationId,
      twinId,
      kind,
      question,
      rewordings: kind === "style" ? [] : rewordings,
      context: question === talk.question ? talk.context : [],
      twinReply: talk.twinReply,
      text,
      rules,
      audience: scope === "contact" ? talk.contact!.id : 0,
      contactId: talk.contact?.id ?? null,
      chatId: talk.chatId,
      factSubject: kind === "fact" ? factSubject : null,
      createdBy: viewer.userId,
    })
    .returning({ id: corrections.id });
  return row!.id;
}

/** @throws Problem 422 */
async function mustBeSayable(
  tx: Tx,
  twinId: string,
  { contact }: CorrectedTalk,
  { kind, question, text, rules, scope }: Lesson,
): Promise<void> {
  if (kind === "style" && rules.length === 0) throw unprocessable("no_rules", "Отметьте хотя бы одно правило");
  if (kind !== "style" && claimsToBeHuman(text)) {
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
  }
  if (scope === "contact") {
    if (contact === null)
      throw unprocessable("no_contact", "Это тестовый чат: собеседника, для которого это запомнить, нет");
    return;
  }
  const spoken = kind === "style" ? phrasesOf(rules) : contact === null ? [question, text] : [text];
  const personal = await personalReason(tx, twinId, spoken, { withContact: contact !== null });
  if (personal === null) return;
  const way = contact === null ? "Уберите это" : "Уберите это или запомните только для этого собеседника";
  throw unprocessable("personal_correction", `${personal} ${way}: другим двойник такого не скажет.`);
}

const phrasesOf = (rules: readonly StyleRule[]) =>
  rules.flatMap((rule) => (rule.habit === "phrase" ? [rule.phrase] : []));

/** The owner has decided about his words. */
async function settle(tx: Tx, viewer: Tenant, twinId: string, { kind, id }: CorrectedAnswer): Promise<void> {
  if (kind === "example") return;
  const about =
    kind === "feedback"
      ? eq(replyFeedback.id, Number(id))
      : and(eq(replyFeedback.messageId, Number(id)), eq(replyFeedback.userId, viewer.userId));
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

/** The newest of the owner's words that nothing was said about yet. */
async function waitingOf(tx: Tx, viewer: Viewer, twinId: string): Promise<WaitingCorrection[]> {
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
        ownTalk({ twinId, ownerId: viewer.userId }),
        isNull(conversationMessages.author),
      ),
    )
    .orderBy(desc(replyFeedback.createdAt), desc(replyFeedback.id))
    .limit(WAITING);
  const waiting: WaitingCorrection[] = [];
  for (const { id, correction, createdAt } of rows) {
    const from = { kind: "feedback", id: String(id) } as const;
    const talk = await findCorrectedAnswer({ tx, twinId, ownerId: viewer.userId }, from);
    if (talk === null) continue;
    const { question, twinReply, contact } = talk;
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
  const { id, kind, question, rewordings, twinReply, text, rules, audience, contactName, state } = row;
  return {
    id,
    kind,
    question,
    rewordings,
    twinReply,
    text,
    rules,
    scope: audience === 0 ? "everybody" : "contact",
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
