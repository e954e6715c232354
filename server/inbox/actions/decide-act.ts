/** The owner decides on an act, once: it is called, rejected, or found to have been done or not. */
import { eq } from "drizzle-orm";
import type { Act, ActAnswer } from "#contract/actions/acts.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { canChange } from "#server/accounts/organizations/access.ts";
import { type ActRow, endLostActs, moveAct } from "#server/answers/tools/ledger.ts";
import { beginCall, callAct, finishRead } from "#server/answers/tools/run-acts.ts";
import { phoneOf } from "#server/inbox/conversation-control/phone-of.ts";
import { namesOf } from "#server/inbox/conversations/member-names.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { actNotFound, readableAct, toJson } from "./acts.ts";
import { tellCustomer, tellScreens } from "./talk/tell-customer.ts";
import type { ToolDeps } from "./tool-deps.ts";

export interface ActDeps extends ToolDeps {
  jobs: Pick<Jobs, "enqueue">;
}

const decided = () => conflict("act_decided", "По этому действию уже решили");

/**
 * Calls what waits for the owner. Of two members who approve at once, or of a repeated request, one calls; a process that dies meanwhile
 * leaves «неизвестно».
 * @throws Problem 404, 403; 409 when it is decided
 */
export async function approveAct(deps: ActDeps, caller: Caller, id: string): Promise<Act> {
  const { act, phone } = await asTenant(deps.db, caller, async (tx) => {
    const found = await changeableAct(tx, caller, id);
    if (found.state !== "waiting-owner") throw decided();
    if (found.ownerQuestion !== null) throw conflict("act_needs_answer", "На этот вопрос отвечаете вы: напишите ответ");
    return { act: found, phone: await phoneOfAct(tx, found) };
  });
  // The owner has decided: his leaving the screen does not undo it.
  const { signal } = new AbortController();
  const decidedBy = caller.userId;
  const tell = (tx: Tx, ended: ActRow) => tellCustomer(tx, deps, caller, ended);
  if (act.changes) {
    const made = await callAct(deps, caller, { id, from: "waiting-owner", decidedBy, signal, onEnd: tell });
    if (made === null) throw decided();
  } else {
    const begun = await asTenant(deps.db, caller, (tx) => beginCall(tx, { id, from: "waiting-owner", decidedBy }));
    if (begun === null) throw decided();
    const { act: called, tool } = begun;
    if (tool !== null) await finishRead(deps, caller, { act: called, tool, phone, signal, onEnd: tell });
  }
  return shownAct(deps, caller, id);
}

/**
 * The owner's own words are the result, and the customer gets them as they are. Of two members who answer at once the first one does.
 * @throws Problem 404, 403; 409 when it is decided, or is no question
 */
export async function answerAct(deps: ActDeps, caller: Caller, id: string, { text }: ActAnswer): Promise<Act> {
  const decidedBy = caller.userId;
  await asTenant(deps.db, caller, async (tx) => {
    const found = await changeableAct(tx, caller, id);
    if (found.ownerQuestion === null) throw conflict("act_decided", "Это действие не спрашивает ответа");
    const begun = await beginCall(tx, { id, from: "waiting-owner", decidedBy });
    if (begun === null) throw decided();
    if (begun.tool === null) return;
    const ended = await moveAct(tx, id, "calling", { state: "done", result: [{ label: "Ответ", value: text }] });
    if (ended !== null) await tellCustomer(tx, deps, caller, ended);
    await record(tx, caller, "act-answered", id);
  });
  return shownAct(deps, caller, id);
}

/** @throws Problem 404, 403; 409 when it is decided */
export async function rejectAct(deps: ActDeps, caller: Caller, id: string): Promise<Act> {
  await asTenant(deps.db, caller, async (tx) => {
    await changeableAct(tx, caller, id);
    const to = {
      state: "refused" as const,
      refusal: "owner" as const,
      decidedBy: caller.userId,
      reason: "Вы отклонили",
    };
    if ((await moveAct(tx, id, "waiting-owner", to)) === null) throw decided();
    await record(tx, caller, "act-rejected", id);
  });
  return shownAct(deps, caller, id);
}

/** @throws Problem 404, 403; 409 when it is not unknown */
export async function settleAct(deps: ActDeps, caller: Caller, id: string, { done }: { done: boolean }): Promise<Act> {
  await asTenant(deps.db, caller, async (tx) => {
    await endLostActs(tx);
    await changeableAct(tx, caller, id);
    const reason = done ? "Отмечено: выполнено" : "Отмечено: не выполнено";
    const to = { state: done ? ("done" as const) : ("failed" as const), decidedBy: caller.userId, reason };
    if ((await moveAct(tx, id, "unknown", to)) === null) throw decided();
    await record(tx, caller, "act-settled", id);
  });
  return shownAct(deps, caller, id);
}

/** @throws Problem 404, 403; 409 for an act that no longer waits for an answer */
export async function requireQuestion(db: Database, caller: Caller, id: string): Promise<void> {
  const act = await asTenant(db, caller, (tx) => changeableAct(tx, caller, id));
  if (act.state !== "waiting-owner" || act.ownerQuestion === null) throw decided();
}

async function changeableAct(tx: Tx, caller: Caller, id: string): Promise<ActRow> {
  const row = await readableAct(tx, caller, id);
  if (row === null) throw actNotFound();
  canChange(caller, row.twin);
  return row.act;
}

const record = (
  tx: Tx,
  { userId, organizationId }: Caller,
  action: "act-rejected" | "act-settled" | "act-answered",
  subject: string,
) => auditInTenant(tx, { action, userId, organizationId, subject });

/** Notifies open screens of a decision. @returns the act after it */
async function shownAct({ db }: ActDeps, caller: Caller, id: string): Promise<Act> {
  const row = await asTenant(db, caller, async (tx) => {
    const found = await readableAct(tx, caller, id);
    if (found === null) throw actNotFound();
    await tellScreens(tx, found.act);
    return found;
  });
  const { decidedBy } = row.act;
  return toJson(row, await namesOf(db, decidedBy === null ? [] : [decidedBy]));
}

async function phoneOfAct(tx: Tx, { contactId }: ActRow): Promise<string | null> {
  if (contactId === null) return null;
  const [row] = await tx.select({ platform: contacts.platform }).from(contacts).where(eq(contacts.id, contactId));
  return row === undefined ? null : phoneOf(tx, contactId, row.platform);
}
