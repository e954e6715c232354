/** Finds the parts of a message that its answer leaves open; otherwise they would be lost. */

import { type Answer, planReplyAlone, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import { isUnanswered } from "./unanswered.ts";

interface Given {
  answer: Answer;
  text: string;
  said: string;
  asker: { twinId: string; contactId: number | null };
}

/**
 * Returns, line by line, the whole message if the answer says nothing. Otherwise it returns what a model says that it leaves open,
 * or the questions that the answer skips and the twin cannot answer alone; null: nothing is open.
 */
export async function findUnansweredParts(
  deps: ReplyDeps,
  tenant: Tenant,
  { answer, text, said, asker }: Given,
): Promise<string | null> {
  if (isUnanswered(answer.citationsOf(text))) return said;
  const { open } = answer.planOf(text);
  if (open !== undefined) return open;
  const left: string[] = [];
  for (const question of answer.unansweredBeside(text)) {
    if (!(await isKnownAlone(deps, tenant, question, asker))) left.push(question);
  }
  return left.length === 0 ? null : left.join("\n");
}

/** Returns whether the twin has an answer to the question alone; generates nothing. */
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
