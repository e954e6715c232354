/** Loads the last messages before an answer's question, for the member who decides on it. */
import { and, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { MAX_EARLIER } from "#contract/conversations/approvals.ts";
import type { EarlierMessage } from "#contract/earlier-message.ts";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import { readableBy } from "#server/inbox/conversations/access.ts";
import { disclosureNotice } from "#server/knowledge/language/disclosure.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { readableText } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

/** Number of newest messages among which the answered one is searched; a burst is hardly ever longer. */
const READ = 20;
/** UTF-16 code units of a message that are shown. */
const LONGEST_SHOWN = 400;

/**
 * Returns at most MAX_EARLIER messages, oldest first; none if there was no question or nothing before it.
 * @throws Problem 404
 */
export function earlierMessages(db: Database, caller: Caller, id: string): Promise<EarlierMessage[]> {
  return asTenant(db, caller, async (tx) => {
    const [answer] = await tx
      .select({
        conversationId: outbox.conversationId,
        question: outbox.question,
        createdAt: outbox.createdAt,
        twin: { name: twins.name, publicName: twins.publicName, ownerId: twins.ownerId },
      })
      .from(outbox)
      .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
      .innerJoin(twins, eq(twins.id, conversations.twinId))
      .where(and(eq(outbox.id, id), readableBy(caller)));
    if (answer === undefined) throw notFound("Ответ не найден", "approval_not_found");
    if (!answer.question) return [];
    const until = lte(conversationMessages.createdAt, answer.createdAt);
    const said = await latestMessages(tx, caller, { ...answer, until });
    return shownToMember(beforeQuestion(said, answer.question), answer.twin);
  });
}

interface Talk {
  conversationId: string;
  /** Condition on `conversation_messages`. */
  until: SQL;
  twin: { ownerId: string };
}

/** The newest READ messages of the conversation that meet the condition, the newest first, as far as the reader may read them. */
export const latestMessages = (tx: Tx, reader: Caller, { conversationId, until, twin }: Talk) =>
  tx
    .select({
      role: conversationMessages.role,
      author: conversationMessages.author,
      content: readableText(
        reader,
        conversationMessages.content,
        conversationMessages.secrecy,
        sql`${twin.ownerId}::uuid`,
      ),
      createdAt: conversationMessages.createdAt,
    })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.conversationId, conversationId), until))
    .orderBy(desc(conversationMessages.id))
    .limit(READ);

type Message = Awaited<ReturnType<typeof latestMessages>>[number];

/** Omits the AI disclosure, which is meant for contacts: the member knows that a twin writes. @returns the oldest first */
export function shownToMember(
  newestFirst: readonly Message[],
  twin: Parameters<typeof publicNameOf>[0],
): EarlierMessage[] {
  const notice = disclosureNotice({ publicName: publicNameOf(twin) });
  return newestFirst.toReversed().map(({ role, author, content, createdAt }) => ({
    by: role === "user" ? "contact" : author === "owner" ? "owner" : "twin",
    text: content.replace(notice, "").trim().slice(0, LONGEST_SHOWN).toWellFormed(),
    at: createdAt.toISOString(),
  }));
}

/** @param newestFirst messages up to the answer */
function beforeQuestion(newestFirst: readonly Message[], question: string): Message[] {
  // Later messages, such as the promise that the owner will answer, follow the question.
  const last = newestFirst.findIndex(({ role }) => role === "user");
  if (last < 0) return [];
  // The question may be a burst of several messages.
  const lines = `\n${question.trim()}\n`;
  const asked = newestFirst
    .slice(last)
    .findIndex(({ role, content }) => role !== "user" || !lines.includes(`\n${content.trim()}\n`));
  if (asked <= 0) return [];
  return newestFirst.slice(last + asked, last + asked + MAX_EARLIER);
}
