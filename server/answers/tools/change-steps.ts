/** The steps of what changes something: the customer is asked, says yes or no, and then the owner decides. */
import type { CallOutcome, Named } from "#contract/actions/tool-call.ts";
import { tellsUnchosen } from "#contract/actions/tool-settings.ts";
import type { ActArgument, ToolRow } from "#server/platform/db/schema/tools.ts";
import { type DeskTurn, inTenant, type StepOutcome, shownCall } from "./desk-place.ts";
import { fieldsOf, targetOf } from "./kind-of.ts";
import { type ActRow, addAct, lockTool, moveAct, sameOpenAct, withdrawActs } from "./ledger.ts";
import { callAct } from "./run-acts.ts";
import { askReply, confirmReply, handOverReply, settledReply } from "./scripted-reply.ts";
import { checkValues, type NamedValue, type Talk } from "./stated-values.ts";
import { listed } from "./tool.ts";
import * as words from "./wording.ts";

const NOTHING: StepOutcome = { reply: null, call: null, chunk: null };

/**
 * Asks the customer to confirm; what he was asked before is withdrawn.
 * @param from the act that waited for these values; null: a new one
 */
export async function proposeChange(
  turn: DeskTurn,
  tool: ToolRow,
  values: ActArgument[],
  from: string | null = null,
): Promise<StepOutcome> {
  const { asker, address, promised } = turn;
  const question = words.confirmQuestion(tool.title, values, address);
  const act = await inTenant(turn, async (tx) => {
    const current = await lockTool(tx, tool.id);
    if (current === null || !current.changes) return null;
    const { conversationId, contactId } = asker;
    // What the owner has not decided on yet is not proposed to him twice, even if a crash or the customer repeats the request.
    const same = conversationId === null ? null : await sameOpenAct(tx, current, conversationId, values);
    if (same !== null) return same;
    const row = { state: "waiting-customer" as const, arguments: values, target: targetOf(current), question };
    if (from !== null) return moveAct(tx, from, "proposed", row);
    if (conversationId !== null) await withdrawActs(tx, conversationId);
    return addAct(tx, current, { conversationId, contactId, ...row });
  });
  if (act === null) return { ...NOTHING, reply: handOverReply(tool, promised, address) };
  if (act.state !== "waiting-customer") {
    const reply = settledReply(words.PASSED_ON, `Действие «${tool.title}» ждёт вашего решения.`);
    return { reply, call: shownCall(tool, { actId: act.id, values, outcome: "waiting-owner" }), chunk: null };
  }
  const call = shownCall(tool, { actId: act.id, values, outcome: "waiting-customer" });
  return { reply: confirmReply(tool, question), call, chunk: null };
}

/** Proposes what a form has recognised, or asks for what it lacks and remembers what was given. No «да» confirms what still lacks something. */
export async function changeFormStep(
  turn: DeskTurn,
  tool: ToolRow,
  { given, from, talk }: { given: readonly NamedValue[]; from: string | null; talk: Talk },
): Promise<StepOutcome> {
  const fields = fieldsOf(tool);
  const checked = checkValues(fields, given, talk);
  if (checked.kind === "invalid") return NOTHING;
  if (checked.kind === "valid") return proposeChange(turn, tool, checked.values, from);
  const reply = askReply(tool, checked.labels, turn.address);
  const kept = fields.flatMap(({ name, label }) =>
    given.filter((each) => each.name === name).map(({ value }) => ({ name, label, value })),
  );
  const act = await inTenant(turn, async (tx) => {
    const { conversationId, contactId } = turn.asker;
    const row = { state: "proposed" as const, arguments: kept, target: targetOf(tool), question: reply.text };
    if (from !== null) return moveAct(tx, from, "proposed", row);
    if (conversationId !== null) await withdrawActs(tx, conversationId);
    return addAct(tx, tool, { conversationId, contactId, ...row });
  });
  if (act === null) return NOTHING;
  const note = `Двойник спросил: ${listed(checked.labels)}`;
  const call = shownCall(tool, { actId: act.id, values: kept, outcome: "waiting-customer", note });
  return { reply, call, chunk: null };
}

/** What the customer learns of a change's result: names and values that nobody has chosen are for its owner alone. */
export const toldOf = (tool: Pick<ToolRow, "settings"> | null, result: readonly Named[]): readonly Named[] =>
  tool === null || tellsUnchosen(tool.settings) ? [] : result;

/** The customer has said yes: the owner decides, or a test chat shows or makes the call. */
export async function confirmChange(turn: DeskTurn, open: ActRow, tool: ToolRow): Promise<StepOutcome> {
  const { mode, tenant, deps, signal } = turn;
  const { id, arguments: values } = open;
  const show = (outcome: CallOutcome, more: { result?: Named[]; note?: string | null } = {}) =>
    shownCall(tool, { actId: id, values, outcome, ...more });
  if (mode === "live") {
    const from = "waiting-customer" as const;
    const made = await callAct(deps, tenant, { id, from, decidedBy: tenant.userId, signal });
    if (made === null) return NOTHING;
    const { state, result, reason: note } = made.act;
    const outcome = state === "done" || state === "unknown" || state === "refused" ? state : "failed";
    const text = state === "done" ? words.doneText(tool.title, toldOf(tool, result)) : words.notDone(tool.title);
    const reply = settledReply(text, `Действие «${tool.title}» вызвано.`);
    return { reply, call: show(outcome, { result, note }), chunk: null };
  }
  const to = mode === "dry" ? { state: "done" as const, dry: true } : { state: "waiting-owner" as const };
  const moved = await inTenant(turn, async (tx) =>
    (await lockTool(tx, tool.id)) === null ? null : moveAct(tx, id, "waiting-customer", to),
  );
  if (moved === null) return NOTHING;
  if (mode === "dry") {
    const reply = settledReply(words.dryRun(tool.title), `Показано, что вызвало бы действие «${tool.title}».`);
    return { reply, call: show("dry", { note: "Проверочный разговор: вызов только показан" }), chunk: null };
  }
  const reply = settledReply(words.PASSED_ON, `Действие «${tool.title}» ждёт вашего решения.`);
  return { reply, call: show("waiting-owner"), chunk: null };
}

/** The customer takes back what he was asked to confirm, or what waits for the owner. */
export async function declineChange(turn: DeskTurn, open: ActRow, tool: ToolRow): Promise<StepOutcome> {
  const refused = { state: "refused" as const, refusal: "customer" as const, reason: "Собеседник отказался" };
  // The owner may have decided meanwhile.
  const moved = await inTenant(turn, (tx) => moveAct(tx, open.id, open.state, refused));
  if (moved === null) return NOTHING;
  const { id: actId, arguments: values } = open;
  const call = shownCall(tool, { actId, values, outcome: "refused", note: "Собеседник отказался" });
  const reply = settledReply(words.LEFT_ALONE, `Собеседник отказался от действия «${tool.title}».`);
  return { reply, call, chunk: null };
}
