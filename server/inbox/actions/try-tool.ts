/** «Проверить»: a tool is called with a member's sample, outside any conversation. */
import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import type { CallOutcome, ToolCall } from "#contract/actions/tool-call.ts";
import type { DraftTrialInput } from "#contract/actions/tool-draft.ts";
import { unclearChange } from "#contract/actions/tool-settings.ts";
import type { ToolTrial, TrialInput } from "#contract/actions/tools.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { allFieldsOf, kindOf, targetOf } from "#server/answers/tools/kind-of.ts";
import { addAct, moveAct } from "#server/answers/tools/ledger.ts";
import { isProven } from "#server/answers/tools/proof.ts";
import { checkValues } from "#server/answers/tools/stated-values.ts";
import { listed, proofFieldsOf, shownArguments } from "#server/answers/tools/tool.ts";
import type { CallOutcomeOf } from "#server/answers/tools/tool-kind.ts";
import { asTenant } from "#server/platform/db/database.ts";
import type { ActArgument, ToolRow } from "#server/platform/db/schema/tools.ts";
import { invalid } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { columnsOf, getChangeableTool, keptProxy, proxyIn, requireSound, sealed, toolNotFound } from "./tools.ts";

/** Characters of a system's answer that are shown. */
const SHOWN_ANSWER = 4000;

/** @throws Problem 404, 403; 400 for a sample that lacks something */
export async function tryTool(
  deps: ToolDeps,
  caller: Caller,
  id: string,
  sample: z.output<typeof TrialInput>,
): Promise<ToolTrial> {
  const tool = await asTenant(deps.db, caller, (tx) => getChangeableTool(tx, caller, id));
  return runTrial(deps, caller, { tool, savedId: id }, sample);
}

/**
 * «Проверить» before a tool is saved: nothing of it is stored, but a real call of what changes something is an act as any other.
 * @throws Problem 404, 403; 400 for an impossible tool or a sample that lacks something
 */
export async function tryDraftTool(
  deps: ToolDeps,
  caller: Caller,
  { twinId, toolId, tool: input, ...sample }: z.output<typeof DraftTrialInput>,
): Promise<ToolTrial> {
  requireSound(deps, input);
  const entered = await enteredProxy(caller, proxyIn(input));
  const savedId = toolId ?? null;
  const place = { id: randomUUID(), orgId: caller.organizationId };
  const tool = await asTenant(deps.db, caller, async (tx): Promise<ToolRow> => {
    await getChangeableTwin(tx, caller, twinId);
    const saved = savedId === null ? null : await getChangeableTool(tx, caller, savedId);
    if (saved !== null && saved.twinId !== twinId) throw toolNotFound();
    const { columns, secrets } = await columnsOf(tx, deps.vault, { id: savedId, twinId }, input, saved);
    return {
      ...{ ...place, twinId, ...columns },
      ...sealed(deps, place, { secrets, proxy: keptProxy(deps, input, saved) ?? entered }),
      ...{ createdAt: new Date(), updatedAt: new Date() },
    };
  });
  return runTrial(deps, caller, { tool, savedId }, sample);
}

/**
 * @param savedId the tool under which a real call is recorded; null: it is not saved yet
 * @throws Problem 400 for a sample that lacks something
 */
async function runTrial(
  deps: ToolDeps,
  caller: Caller,
  { tool, savedId }: { tool: ToolRow; savedId: string | null },
  { arguments: given, really = false }: z.output<typeof TrialInput>,
): Promise<ToolTrial> {
  const values = requireValues(tool, given);
  const own = values.filter(({ name }) => !/^proof\d$/.test(name));
  const request = kindOf(tool.settings).preview(tool.settings, own);
  const isOwnAddress = tool.settings.kind === "http";
  const began = performance.now();
  const shown = (actId: string | null, outcome: CallOutcome, more: Partial<ToolCall> = {}): ToolCall => ({
    ...{ actId, title: tool.title, arguments: shownArguments(values), outcome, result: [], note: null, ...more },
  });
  const trial = (call: ToolCall, made: Pick<CallOutcomeOf, "status" | "answer"> | null): ToolTrial => ({
    ...{
      call,
      request,
      status: made?.status ?? null,
      answer: (made?.answer ?? "").slice(0, SHOWN_ANSWER).toWellFormed(),
    },
    durationMs: Math.round(performance.now() - began),
  });
  const changes = tool.changes || unclearChange(tool.settings, false) !== null;
  if (changes && !really)
    return trial(shown(null, "dry", { note: "Показано, что было бы отправлено. Ничего не вызвано." }), null);
  if (kindOf(tool.settings).asksOwner !== undefined)
    return trial(shown(null, "dry", { note: "Показан вопрос, который вы получите. Никого не спросили." }), null);
  const act = changes ? await beginTrial(deps, caller, { ...tool, changes, id: savedId }, values) : null;
  const signal = new AbortController().signal;
  const made = await kindOf(tool.settings).call(deps, caller, tool, { values: own, idempotencyKey: act, signal });
  if (act !== null) await endTrial(deps, caller, act, made);
  if (made.kind === "absent") return trial(shown(act, "unproven", { note: troubleIn(made, isOwnAddress) }), made);
  if (made.kind !== "done") return trial(shown(act, made.kind, { note: troubleIn(made, isOwnAddress) }), made);
  const named = proofFieldsOf(tool).map(({ name }) => values.find((value) => value.name === name)?.value ?? null);
  const proven = tool.changes || isProven(tool.proof, { phone: null, named }, made.read);
  const note = proven ? null : "Собеседнику это не сообщили бы: подтверждение не совпало или не названо";
  return trial(shown(act, proven ? "done" : "unproven", { result: made.result, note }), made);
}

/**
 * What happened instead of a result, and what to do about it.
 * @param isOwnAddress whether its owner has entered the address; other kinds say themselves what to do
 */
function troubleIn(made: Exclude<CallOutcomeOf, { kind: "done" }>, isOwnAddress: boolean): string {
  const { status } = made;
  if (status === 404) return "Адрес ответил 404: такой страницы или записи нет. Проверьте адрес и значение.";
  if (made.kind === "absent")
    return status === null
      ? "Такой записи нет. Проверьте значение."
      : "Адрес ответил, но там, где вы выбрали результат, ничего нет. Проверьте значение и место результата.";
  if (status === 401 || status === 403) return `Адрес ответил ${status}: доступа нет. Проверьте ключи и заголовки.`;
  if (status !== null && status >= 400 && status < 500)
    return `Адрес ответил ${status}: запрос не принят. Посмотрите его ответ, проверьте метод, поля и значения.`;
  if (status !== null && status >= 500)
    return `Адрес ответил ошибкой ${status}. Попробуйте позже или посмотрите, что не так, в своей системе.`;
  return isOwnAddress ? `${made.reason}. Проверьте адрес и настройки и попробуйте ещё раз.` : made.reason;
}

/** The member's own words stand for a conversation. */
function requireValues(tool: ToolRow, given: z.output<typeof TrialInput>["arguments"]): ActArgument[] {
  const message = given.map(({ value }) => value).join("\n");
  const fields = allFieldsOf(tool).map((field) => ({ ...field, type: field.type }));
  const checked = checkValues(fields, given, {
    ...{ message, history: [], results: given.map(({ value }) => value), now: new Date(), timeZone: "Europe/Moscow" },
  });
  if (checked.kind === "valid") return checked.values;
  const said =
    checked.kind === "missing" ? `Введите: ${listed(checked.labels)}` : `Проверьте пример: ${checked.reason}`;
  throw invalid("invalid_input", said, { fields: { arguments: said } });
}

/** A real call of what changes something is an act as any other. */
function beginTrial(
  deps: ToolDeps,
  caller: Caller,
  tool: Omit<ToolRow, "id"> & { id: string | null },
  values: ActArgument[],
): Promise<string> {
  return asTenant(deps.db, caller, async (tx) => {
    const { organizationId, userId } = caller;
    const row = {
      state: "calling" as const,
      arguments: values,
      target: targetOf(tool),
      calledAt: new Date(),
      decidedBy: userId,
    };
    const { id, title } = await addAct(tx, tool, row);
    await auditInTenant(tx, { action: "act-called", userId, organizationId, subject: id, detail: { name: title } });
    return id;
  });
}

async function endTrial(deps: ToolDeps, caller: Caller, id: string, made: CallOutcomeOf): Promise<void> {
  const to =
    made.kind === "done"
      ? { state: "done" as const, result: made.result }
      : made.kind === "absent"
        ? { state: "failed" as const, reason: "Система ответила, что такого нет" }
        : { state: made.kind, reason: made.reason };
  await asTenant(deps.db, caller, (tx) => moveAct(tx, id, "calling", to));
}
