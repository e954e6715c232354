/** Where and for whom the tools of one answer are called, and what comes of a step. */
import type { CallOutcome, Named, ToolCall } from "#contract/actions/tool-call.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import type { ActArgument, ToolRow } from "#server/platform/db/schema/tools.ts";
import type { ActingAsker } from "./run-acts.ts";
import type { ScriptedReply } from "./scripted-reply.ts";
import { shownArguments } from "./tool.ts";
import type { CallDeps } from "./tool-kind.ts";

/** dry: a test chat that only shows what would be changed; live: one that calls. */
export type DeskMode = "channel" | "dry" | "live";

export interface DeskPlace {
  tenant: Tenant;
  twinId: string;
  asker: ActingAsker;
  mode: DeskMode;
  message: string;
  history: readonly HistoryTurn[];
  timeZone: string;
  address: Address | null;
}

/** What the steps of one answer share. */
export interface DeskTurn extends DeskPlace {
  deps: CallDeps;
  /** Whether the owner reads what is left to him. */
  promised: boolean;
  signal: AbortSignal;
}

export interface StepOutcome {
  /** null: a generator words the reply. */
  reply: ScriptedReply | null;
  call: ToolCall | null;
  /** The result as a source; null: there is none. */
  chunk: ReplyChunk | null;
}

export const inTenant = <T>(
  { deps, tenant }: Pick<DeskTurn, "deps" | "tenant">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => asTenant(deps.db, tenant, work);

interface Shown {
  actId?: string | null;
  values: readonly ActArgument[];
  outcome: CallOutcome;
  result?: Named[];
  note?: string | null;
}

/** The call as members see it beside the answer. */
export const shownCall = (
  { title }: ToolRow,
  { actId = null, values, outcome, result = [], note = null }: Shown,
): ToolCall => ({ actId, title, arguments: shownArguments(values), outcome, result, note });
