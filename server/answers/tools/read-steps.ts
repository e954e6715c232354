/** A step that reads what concerns the asker: it asks for what is missing, makes the call, and words what only code may word. */
import type { ActArgument, ToolRow } from "#server/platform/db/schema/tools.ts";
import { type DeskTurn, inTenant, type StepOutcome, shownCall } from "./desk-place.ts";
import { allFieldsOf, targetOf } from "./kind-of.ts";
import { addAct, withdrawActs } from "./ledger.ts";
import { canProve } from "./proof.ts";
import { chunkOf, type ReadOutcome, runRead } from "./run-acts.ts";
import { askReply, handOverReply, notFoundReply, resultReply, settledReply } from "./scripted-reply.ts";
import { checkValues, type NamedValue, type Talk } from "./stated-values.ts";
import { type CallField, proofFieldsOf } from "./tool.ts";
import * as words from "./wording.ts";

const namedProofs = (tool: ToolRow, values: readonly ActArgument[]) => {
  const fields = proofFieldsOf(tool);
  const named = fields.map(({ name }) => values.find((value) => value.name === name)?.value ?? null);
  const unnamed: CallField[] = fields.filter((_, at) => named[at] === null);
  return { named, unnamed };
};

/**
 * @param from the act that waited for these values; null: a new one
 * @param byModel whether a model words the result
 */
export async function readStep(
  turn: DeskTurn,
  tool: ToolRow,
  { values, from, byModel }: { values: ActArgument[]; from: string | null; byModel: boolean },
): Promise<StepOutcome> {
  const { deps, tenant, asker, address, promised, signal } = turn;
  const dry = turn.mode === "dry";
  const { named, unnamed } = namedProofs(tool, values);
  const labels = unnamed.map(({ label }) => label);
  if (!canProve(tool.proof, { phone: asker.phone, named })) {
    // Nothing is looked up before, so the answer is the same whether there is such a row or not.
    const isAskable = tool.proof.asked.length > 0;
    const reply = isAskable ? askReply(tool, labels, address) : handOverReply(tool, promised, address);
    return { reply, call: shownCall(tool, { values, outcome: isAskable ? "proof" : "refused" }), chunk: null };
  }
  const outcome = await runRead(deps, tenant, tool, { values, asker, from, dry, signal });
  const call = callOf(tool, values, outcome);
  switch (outcome.kind) {
    case "done": {
      const chunk = chunkOf(outcome.tool, outcome.act, outcome.result, { now: new Date(), timeZone: turn.timeZone });
      return { reply: byModel ? null : resultReply(tool, words.resultText(values, outcome.result)), call, chunk };
    }
    case "proof":
      return { reply: askReply(tool, labels, address), call, chunk: null };
    case "dry": {
      const said = outcome.act.ownerQuestion === null ? words.dryRun(tool.title) : words.DRY_QUESTION;
      return { reply: settledReply(said, `Показано, что вызвало бы действие «${tool.title}».`), call, chunk: null };
    }
    case "unproven":
      return { reply: notFoundReply(tool, address), call, chunk: null };
    case "waiting-owner":
      return {
        reply:
          outcome.act.ownerQuestion === null
            ? settledReply(words.PASSED_ON, `Действие «${tool.title}» ждёт вашего решения.`)
            : settledReply(words.WILL_ASK, `Вопрос «${tool.title}» ждёт вашего ответа.`),
        call,
        chunk: null,
      };
    default:
      return { reply: handOverReply(tool, promised, address), call, chunk: null };
  }
}

function callOf(tool: ToolRow, values: readonly ActArgument[], outcome: ReadOutcome) {
  if (outcome.kind === "gone") return shownCall(tool, { values, outcome: "refused", note: "Действие выключено" });
  const { act, kind } = outcome;
  const result = kind === "done" ? outcome.result : [];
  const shown =
    act.ownerQuestion === null
      ? "Проверочный разговор: вызов только показан"
      : `Проверочный разговор, вас не спросили: «${act.ownerQuestion}»`;
  return shownCall(tool, { actId: act.id, values, outcome: kind, result, note: kind === "dry" ? shown : act.reason });
}

/** Reads by a form, or asks for what it lacks and remembers what was given. */
export async function formStep(
  turn: DeskTurn,
  tool: ToolRow,
  { given, from, talk }: { given: readonly NamedValue[]; from: string | null; talk: Talk },
): Promise<StepOutcome> {
  const { asker, address } = turn;
  const fields = allFieldsOf(tool);
  const checked = checkValues(fields, given, talk);
  if (checked.kind === "invalid") return { reply: null, call: null, chunk: null };
  const values = checked.kind === "valid" ? checked.values : [];
  const lacking = checked.kind === "missing" ? checked.labels : [];
  const { named } = namedProofs(tool, values);
  const needsProof = !canProve(tool.proof, { phone: asker.phone, named });
  const unnamed = proofFieldsOf(tool).filter(({ name }) => needsProof && !given.some((each) => each.name === name));
  const labels = [...lacking, ...unnamed.map(({ label }) => label)];
  if (labels.length === 0) return readStep(turn, tool, { values, from, byModel: false });
  const reply = askReply(tool, labels, address);
  const kept = given.map(({ name, value }) => ({
    ...{ name, value, label: fields.find((field) => field.name === name)?.label ?? name },
  }));
  const act = await inTenant(turn, async (tx) => {
    const { conversationId, contactId } = asker;
    if (conversationId !== null) await withdrawActs(tx, conversationId);
    const row = { state: "waiting-customer" as const, arguments: kept, target: targetOf(tool), question: reply.text };
    return addAct(tx, tool, { conversationId, contactId, ...row });
  });
  return { reply, call: shownCall(tool, { actId: act.id, values: kept, outcome: "proof" }), chunk: null };
}
