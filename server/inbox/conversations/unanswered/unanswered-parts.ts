/** What an answer leaves open: a message of several questions may be answered in part, and the rest would be lost. */

import { type Answer, planReplyAlone, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import { isUnanswered } from "./unanswered.ts";

interface Given {
  answer: Answer;
  text: string;
  /** What was asked. */
  said: string;
  asker: { twinId: string; contactId: number | null };
}

/**
 * Line by line the whole message where the answer says nothing, else those of its questions that it passes over and that the twin does
 * not know when each is asked alone either; null: nothing is left.
 */
export async function findUnansweredParts(
  deps: ReplyDeps,
  tenant: Tenant,
  { answer, text, said, asker }: Given,
): Promise<string | null> {
  if (isUnanswered(answer.citationsOf(text))) return said;
  const left: string[] = [];
  for (const question of answer.unansweredBeside(text)) {
    if (!(await isKnownAlone(deps, tenant, question, asker))) left.push(question);
  }
  return left.length === 0 ? null : left.join("\n");
}

/** Whether the twin has an answer of its own to the question; nothing is generated for that. */
async function isKnownAlone(
  deps: ReplyDeps,
  tenant: Tenant,
  question: string,
  { twinId, contactId }: Given["asker"],
): Promise<boolean> {
  const audience = contactId === null ? ({ kind: "stranger" } as const) : ({ kind: "contact", contactId } as const);
  const alone = { message: question, history: [], audience, seed: question };
  const { planned } = await planReplyAlone(deps, tenant, twinId, alone);
  return planned.kind !== "unknown" && planned.kind !== "quoted";
}
