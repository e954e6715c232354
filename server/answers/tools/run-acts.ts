/**
 * Runs one act: `calling` is committed before the owner's system is asked, and the outcome after it. What the database says of the tool at
 * this moment decides; nothing that was read earlier does.
 */

import type { Named } from "#contract/actions/tool-call.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import type { ActArgument, ToolRow } from "#server/platform/db/schema/tools.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { formatDate } from "#server/platform/text/date-format.ts";
import { kindOf, targetOf } from "./kind-of.ts";
import {
  type ActRow,
  type Asker,
  addAct,
  addReadOfUnchangedTool,
  countWaiting,
  endRead,
  isLimited,
  lockTool,
  MOST_WAITING,
  moveAct,
  type ReadEnd,
  sameOpenAct,
} from "./ledger.ts";
import { canProve, isProven } from "./proof.ts";
import { proofFieldsOf } from "./tool.ts";
import type { CallDeps, CallOutcomeOf } from "./tool-kind.ts";
import { withReadableDate } from "./wording.ts";

export interface ActingAsker extends Asker {
  /** The phone that the channel vouches for; null: unknown. */
  phone: string | null;
}

export type ReadOutcome =
  | { kind: "done"; act: ActRow; tool: ToolRow; result: Named[] }
  /** dry: it would wait for the owner, and is only shown. */
  | { kind: "unproven" | "limit" | "waiting-owner" | "dry" | "failed"; act: ActRow; tool: ToolRow }
  /** The channel's phone did not prove it, and something else can. */
  | { kind: "proof"; act: ActRow; tool: ToolRow }
  /** The tool was deleted or switched off meanwhile. */
  | { kind: "gone" };

const namedBy = (tool: ToolRow, values: readonly ActArgument[]) =>
  proofFieldsOf(tool).map(({ name }) => values.find((each) => each.name === name)?.value ?? null);

const LIMIT_REASON = "Слишком много неудачных попыток: ответьте сами";

/**
 * Reads what concerns the asker.
 * @param seen the tool as the turn has read it
 * @param from an act that waited for his words; null: a new one
 * @param dry whether what would wait for the owner is only shown, in a test chat
 */
export async function runRead(
  deps: CallDeps,
  tenant: Tenant,
  seen: ToolRow,
  {
    values,
    asker,
    from,
    dry,
    signal,
  }: { values: ActArgument[]; asker: ActingAsker; from: string | null; dry: boolean; signal: AbortSignal },
): Promise<ReadOutcome> {
  const { conversationId, contactId } = asker;
  const questionOf = ({ settings }: ToolRow) => kindOf(settings).asksOwner?.(settings, ownOf(values)) ?? null;
  // Only proofs are counted, and only questions and what the owner decides may wait.
  if (from === null && seen.proof.everybody && seen.degree === "itself" && questionOf(seen) === null) {
    const row = { conversationId, contactId, arguments: values, target: targetOf(seen) };
    const act = await addReadOfUnchangedTool(eachAsTenant(deps.db, tenant), seen, row);
    if (act !== null) return finishRead(deps, tenant, { tool: seen, act, phone: asker.phone, signal });
  }
  const begun = await asTenant(deps.db, tenant, async (tx) => {
    const tool = await lockTool(tx, seen.id);
    if (tool === null || tool.changes) return null;
    const ownerQuestion = questionOf(tool);
    const waits = tool.degree === "asks" || ownerQuestion !== null;
    // The same question is put to the owner once, and no more of them than he can read.
    if (waits && conversationId !== null) {
      const same = await sameOpenAct(tx, tool, conversationId, values);
      if (same?.state === "waiting-owner") return { tool, act: same };
    }
    const isOver =
      (await isLimited(tx, tool, asker)) ||
      (waits && conversationId !== null && (await countWaiting(tx, conversationId)) >= MOST_WAITING);
    const state = isOver
      ? { state: "refused" as const, refusal: "limit" as const, reason: LIMIT_REASON }
      : waits
        ? dry
          ? { state: "done" as const, dry }
          : { state: "waiting-owner" as const }
        : { state: "calling" as const, calledAt: new Date() };
    const ended = state.state === "refused" || state.state === "done" ? { endedAt: new Date() } : {};
    const row = { arguments: values, target: targetOf(tool), question: null, ownerQuestion, ...state };
    const act =
      from === null
        ? await addAct(tx, tool, { conversationId, contactId, ...row, ...ended })
        : await moveAct(tx, from, "waiting-customer", row);
    return act === null ? null : { tool, act };
  });
  if (begun === null) return { kind: "gone" };
  const { tool, act } = begun;
  if (act.state === "refused") return { kind: "limit", act, tool };
  if (act.state === "waiting-owner") return { kind: "waiting-owner", act, tool };
  if (act.dry) return { kind: "dry", act, tool };
  return finishRead(deps, tenant, { tool, act, phone: asker.phone, signal });
}

interface ReadOrder {
  tool: ToolRow;
  act: ActRow;
  phone: string | null;
  signal: AbortSignal;
  /** As for `callAct`. */
  onEnd?: (tx: Tx, act: ActRow) => Promise<void>;
}

/** Asks the system for a read whose row says `calling`. */
export async function finishRead(
  deps: CallDeps,
  tenant: Tenant,
  { tool, act, phone, signal, onEnd }: ReadOrder,
): Promise<ReadOutcome> {
  const values = act.arguments;
  const outcome = await guarded(deps, tenant, tool, { values: ownOf(values), act, signal });
  const claim = { phone, named: namedBy(tool, values) };
  const proven = outcome.kind === "done" && isProven(tool.proof, claim, outcome.read);
  const end = (to: ReadEnd) =>
    onEnd === undefined
      ? endRead(eachAsTenant(deps.db, tenant), act.id, to)
      : asTenant(deps.db, tenant, async (tx) => {
          const moved = await moveAct(tx, act.id, "calling", to);
          if (moved !== null) await onEnd(tx, moved);
        });
  if (outcome.kind === "failed" || outcome.kind === "unknown") {
    await end({ state: "failed", reason: outcome.reason });
    return { kind: "failed", act: { ...act, reason: outcome.reason }, tool };
  }
  if (outcome.kind === "done" && proven) {
    await end({ state: "done", result: outcome.result });
    return { kind: "done", act, tool, result: outcome.result };
  }
  const reason = "Подтверждение не подошло, или такой записи нет";
  await end({ state: "refused", refusal: "proof", reason });
  const { asked } = tool.proof;
  const canNameMore = asked.length > 0 && claim.named.some((value) => value === null);
  return {
    kind: canNameMore && !canProve({ ...tool.proof, channelPhone: null }, claim) ? "proof" : "unproven",
    act,
    tool,
  };
}

/** What is sent: proofs are compared here and leave with nobody. */
const ownOf = (values: readonly ActArgument[]): ActArgument[] => values.filter(({ name }) => !/^proof\d$/.test(name));

interface CallOrder {
  id: string;
  from: ActRow["state"];
  decidedBy: string | null;
  signal: AbortSignal;
  /** Runs in the transaction that stores the outcome. */
  onEnd?: (tx: Tx, act: ActRow) => Promise<void>;
}

/**
 * Takes an act that was waiting: from here on it is called, or refused where its tool is gone, may not be called, or has become a read
 * or a change since, which was neither asked nor decided.
 * @returns null: it was not in the state `from` any more; without a tool: it is refused
 */
export async function beginCall(
  tx: Tx,
  { id, from, decidedBy }: Pick<CallOrder, "id" | "from" | "decidedBy">,
): Promise<{ act: ActRow; tool: ToolRow | null } | null> {
  const act = await moveAct(tx, id, from, { state: "calling", calledAt: new Date(), decidedBy });
  if (act === null) return null;
  const tool = act.toolId === null ? null : await lockTool(tx, act.toolId);
  if (tool?.changes === act.changes) return { act, tool };
  const reason = tool === null ? "Действие удалено или выключено" : "Действие с тех пор изменено";
  return { act: (await moveAct(tx, id, "calling", { state: "refused", refusal: "changed", reason }))!, tool: null };
}

/** Calls what changes something, once. @returns the act after it; null: it was not in the state `from` any more */
export async function callAct(
  deps: CallDeps,
  tenant: Tenant,
  { id, from, decidedBy, signal, onEnd }: CallOrder,
): Promise<{ act: ActRow; tool: ToolRow | null } | null> {
  const begun = await asTenant(deps.db, tenant, async (tx) => {
    const found = await beginCall(tx, { id, from, decidedBy });
    if (found === null || found.tool === null) return found;
    const { organizationId, userId } = tenant;
    const detail = { name: found.act.title, twinId: found.act.twinId };
    await auditInTenant(tx, { action: "act-called", userId: decidedBy ?? userId, organizationId, subject: id, detail });
    return found;
  });
  if (begun === null || begun.tool === null) return begun;
  const { act, tool } = begun;
  const outcome = await guarded(deps, tenant, tool, { values: ownOf(act.arguments), act, signal });
  const to =
    outcome.kind === "done"
      ? { state: "done" as const, result: outcome.result }
      : outcome.kind === "absent"
        ? { state: "failed" as const, reason: "Система ответила, что такого нет" }
        : { state: outcome.kind, reason: outcome.reason };
  const ended = await asTenant(deps.db, tenant, async (tx) => {
    const moved = await moveAct(tx, id, "calling", to);
    if (moved !== null) await onEnd?.(tx, moved);
    return moved;
  });
  return { act: ended ?? act, tool };
}

/** An error of our own side is an outcome too: the row must not stay in `calling`. */
async function guarded(
  deps: CallDeps,
  tenant: Tenant,
  tool: ToolRow,
  { values, act, signal }: { values: readonly ActArgument[]; act: ActRow; signal: AbortSignal },
): Promise<CallOutcomeOf> {
  try {
    return await kindOf(tool.settings).call(deps, tenant, tool, { values, idempotencyKey: act.id, signal });
  } catch {
    const reason = "Внутренняя ошибка при вызове";
    return { kind: tool.changes ? "unknown" : "failed", reason, status: null, answer: "" };
  }
}

/** The result as a source beside the documents; it lives as long as the turn. */
export function chunkOf(
  tool: ToolRow,
  act: ActRow,
  result: readonly Named[],
  at: { now: Date; timeZone: string },
): ReplyChunk {
  const lines = [...act.arguments.filter(({ name }) => !/^proof\d$/.test(name)), ...result];
  return {
    ...{
      id: `tool ${act.id}`,
      documentId: "",
      name: tool.title,
      heading: `ответ системы, ${formatDate(at.now, "long-with-time", at.timeZone)}`,
    },
    ...{
      text: lines.map(({ label, value }) => `${label}: ${withReadableDate(value)}`).join("\n"),
      score: 1,
      sentences: [],
    },
  };
}
