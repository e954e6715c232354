/** The talk in which an act was asked for, for the member who decides on it. */
import { lte, sql } from "drizzle-orm";
import { MAX_BEFORE_ACT } from "#contract/actions/acts.ts";
import type { EarlierMessage } from "#contract/earlier-message.ts";
import { latestMessages, shownToMember } from "#server/inbox/approvals/earlier-messages.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { actNotFound, readableAct } from "../acts.ts";

/**
 * Returns at most MAX_BEFORE_ACT messages, oldest first, the last of them the customer's; none for a trial. What the customer was asked to
 * confirm is left out, because the act has it.
 * @throws Problem 404
 */
export function messagesBefore(db: Database, caller: Caller, id: string): Promise<EarlierMessage[]> {
  return asTenant(db, caller, async (tx) => {
    const found = await readableAct(tx, caller, id);
    if (found === null) throw actNotFound();
    const { act, twin, platform } = found;
    const { conversationId, question } = act;
    if (conversationId === null) return [];
    const since = act.waitsSince ?? act.calledAt ?? act.createdAt;
    const until =
      platform !== null
        ? lte(conversationMessages.createdAt, since)
        : // A test chat stores a message with the answer to it, after its act.
          sql`${conversationMessages.id} < coalesce((select min(answer.id) from conversation_messages answer
            where answer.conversation_id = ${conversationId} and answer.role = 'assistant' and answer.created_at > ${since.toISOString()}::timestamptz),
            9223372036854775807)`;
    const said = await latestMessages(tx, caller, { conversationId, until, twin });
    const last = said.findIndex(({ role }) => role === "user");
    const told =
      last < 0 ? [] : said.slice(last).filter(({ content }) => question === null || !content.includes(question));
    return shownToMember(told.slice(0, MAX_BEFORE_ACT), twin);
  });
}
