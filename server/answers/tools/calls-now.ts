/** How calls stand that had not ended when their answers were given, for the screens that show the answers later. */
import { inArray } from "drizzle-orm";
import type { CallOutcome, ToolCall } from "#contract/actions/tool-call.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import type { ActRow } from "./ledger.ts";

/** Outcomes after which somebody goes on with the act. */
const GOES_ON: ReadonlySet<CallOutcome> = new Set(["waiting-customer", "waiting-owner", "unknown"]);

interface Answer {
  calls?: readonly ToolCall[] | undefined;
  /** Why the answer is what it is, as a Russian sentence. */
  reason?: string | undefined;
}

/** Reads the acts of answers, and returns what gives an answer the calls as they stand now, with a reason that agrees. */
export async function readCallsNow(
  tx: Tx,
  answers: readonly (Answer | null)[],
): Promise<<Given extends Answer>(answer: Given) => Given> {
  const goingOn = answers.flatMap((answer) => answer?.calls ?? []).filter(({ outcome }) => GOES_ON.has(outcome));
  const ids = [...new Set(goingOn.flatMap(({ actId }) => actId ?? []))];
  if (ids.length === 0) return (answer) => answer;
  const rows = await tx.select().from(acts).where(inArray(acts.id, ids));
  const known = new Map(rows.map((row) => [row.id, row]));
  return (answer) => {
    if (answer.calls === undefined) return answer;
    let { reason } = answer;
    const calls = answer.calls.map((call) => {
      const act = GOES_ON.has(call.outcome) ? known.get(call.actId ?? "") : undefined;
      const outcome = act && outcomeOf(act);
      if (act === undefined || outcome === undefined || outcome === call.outcome) return call;
      if (call.outcome === "waiting-owner") reason = endReason(act);
      const isDone = outcome === "done";
      return { ...call, outcome, result: isDone ? act.result : [], note: isDone || act.dry ? null : act.reason };
    });
    return { ...answer, calls, ...(reason === undefined ? {} : { reason }) };
  };
}

/** @returns undefined while the act is on its way */
function outcomeOf({ state, refusal, dry }: ActRow): CallOutcome | undefined {
  switch (state) {
    case "proposed":
    case "calling":
      return undefined;
    case "done":
      return dry ? "dry" : "done";
    case "refused":
      return refusal === "proof" ? "unproven" : refusal === "limit" ? "limit" : "refused";
    default:
      return state;
  }
}

/** What came of an act that waited for its owner, as a Russian sentence for members. */
export function endReason({ title, state, ownerQuestion }: ActRow): string {
  if (state === "done")
    return ownerQuestion === null ? `Действие «${title}» выполнено.` : `На вопрос «${title}» ответил человек.`;
  if (state === "failed") return `Действие «${title}» не удалось.`;
  if (state === "unknown") return `Неизвестно, выполнено ли действие «${title}».`;
  return ownerQuestion === null ? `Действие «${title}» не выполнено.` : `Вопрос «${title}» остался без ответа.`;
}
