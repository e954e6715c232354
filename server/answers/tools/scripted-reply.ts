/** Replies that code words for a tool, with their plans. */

import type { Address } from "#server/knowledge/language/address.ts";
import type { ToolRow } from "#server/platform/db/schema/tools.ts";
import { fieldsOf } from "./kind-of.ts";
import { listed, proofFieldsOf } from "./tool.ts";
import * as words from "./wording.ts";

/** The plan of a reply that code words; a part of `Plan` of answers/replies. */
export interface ScriptedPlan {
  kind: "knowledge" | "recurring" | "smalltalk" | "unknown";
  confidence: number;
  reason: string;
  ask?: string;
  action?: string;
  /** What code words is judged by no exam of the twin. */
  sentFrom: number;
  scripted: true;
}

export interface ScriptedReply {
  text: string;
  plan: ScriptedPlan;
}

/** What code asks and reads is as sure as anything can be. */
const SURE = { confidence: 0.97, sentFrom: 0.7, scripted: true as const };

const askingPlan = ({ title }: ToolRow, ask: string): ScriptedPlan => ({
  ...{ kind: "recurring", ...SURE, ask, reason: `Для действия «${title}» двойник спрашивает: ${ask}.` },
});

/** Asks for the values with these labels. */
export const askReply = (tool: ToolRow, labels: readonly string[], address: Address | null): ScriptedReply => ({
  text: words.askFor(labels, address),
  plan: askingPlan(tool, listed(labels)),
});

export const confirmReply = (tool: ToolRow, question: string): ScriptedReply => ({
  text: question,
  plan: askingPlan(tool, "подтверждение"),
});

/** The same for a wrong proof and for what does not exist. */
export function notFoundReply(tool: ToolRow, address: Address | null): ScriptedReply {
  const fields = [...fieldsOf(tool).filter(({ required }) => required), ...proofFieldsOf(tool)];
  const labels = fields.map(({ label }) => label);
  return { text: words.notFound(labels, address), plan: askingPlan(tool, listed(labels)) };
}

/** @param promised whether the owner reads what is left to him */
export const handOverReply = ({ title }: ToolRow, promised: boolean, address: Address | null): ScriptedReply => ({
  text: words.handedOver(promised, address),
  plan: {
    ...{ kind: "unknown", ...SURE, confidence: 0.3, action: `ответить вместо действия «${title}»` },
    reason: `Действие «${title}» не ответило: ответьте сами.`,
  },
});

/** Says that something was or will be done. */
export const settledReply = (text: string, reason: string): ScriptedReply => ({
  text,
  plan: { kind: "smalltalk", ...SURE, reason },
});

export const resultReply = ({ title }: ToolRow, text: string): ScriptedReply => ({
  text,
  plan: { kind: "knowledge", ...SURE, reason: `Ответ дало действие «${title}».` },
});
