/** Applies a member's act to one conversation or to several, each in its own transaction and by the same rules. */
import type { ActInput, ActResult, ConversationAct } from "#contract/conversations/acts.ts";
import { updateConversation } from "#server/inbox/conversations/conversations.ts";
import { setLabel } from "#server/inbox/conversations/labels.ts";
import { endSnooze, snooze } from "#server/inbox/conversations/snooze.ts";
import type { Database } from "#server/platform/db/database.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { resumeConversation } from "./takeover.ts";

interface ActDeps {
  db: Database;
  jobs: Jobs;
}

/** A refused act does not stop the others. @throws Problem of the act, if only one conversation is named */
export async function actOn(deps: ActDeps, caller: Caller, { ids, act }: ActInput): Promise<ActResult[]> {
  const results: ActResult[] = [];
  const distinct = [...new Set(ids)];
  for (const id of distinct) {
    try {
      await actOnOne(deps, caller, id, act);
      results.push({ id, problem: null });
    } catch (error) {
      if (!(error instanceof Problem) || distinct.length === 1) throw error;
      results.push({ id, problem: { code: error.code, message: error.message } });
    }
  }
  return results;
}

async function actOnOne(deps: ActDeps, caller: Caller, id: string, act: ConversationAct): Promise<void> {
  const { db } = deps;
  switch (act.kind) {
    case "close":
    case "reopen":
      await updateConversation(db, caller, id, { status: act.kind === "close" ? "closed" : "active" });
      return;
    case "snooze":
      return snooze(deps, caller, id, act.until);
    case "return":
      return endSnooze(db, caller, id);
    case "label":
    case "unlabel":
      return setLabel(db, caller, { conversationId: id, labelId: act.labelId, has: act.kind === "label" });
    case "hand-back":
      await resumeConversation(db, caller, id);
  }
}
