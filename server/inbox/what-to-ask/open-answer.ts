import { and, eq, isNotNull } from "drizzle-orm";
import type { StyleSample } from "#contract/knowledge/style-samples.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { openSample } from "#server/knowledge/public-replies/style-samples.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

/**
 * Opens a draft that the owner rewrote as a sample of his manner. The sample goes with the contact who received it.
 * @throws Problem 404 also for an answer whose words are the twin's own; 409 when there are too many samples; 422
 */
export function openAnswer(db: Database, caller: Caller, twinId: string, answerId: string): Promise<StyleSample> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const [answer] = await tx
      .select({ text: outbox.text, contactId: conversations.contactId })
      .from(outbox)
      .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
      .where(and(eq(outbox.id, answerId), eq(conversations.twinId, twinId), isNotNull(outbox.original)));
    if (answer === undefined || answer.contactId === null || answer.text.trim() === "")
      throw notFound("Этого ответа больше нет", "style_sample_not_found");
    return openSample(tx, caller, { twinId, contactId: answer.contactId, text: answer.text.trim() });
  });
}
