/** The organisation's saved replies. A member inserts them into the reply field; the server never sends them. */
import { asc, eq, sql } from "drizzle-orm";
import { SAVED_REPLIES_LIMIT, type SavedReply, type SavedReplyInput } from "#contract/conversations/saved-replies.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { savedReplies } from "#server/platform/db/schema/conversations.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

const shown = { id: savedReplies.id, title: savedReplies.title, text: savedReplies.text };
const savedReplyNotFound = () => notFound("Заготовка не найдена", "saved_reply_not_found");

export function listSavedReplies(db: Database, caller: Tenant): Promise<SavedReply[]> {
  return asTenant(db, caller, (tx) =>
    tx
      .select(shown)
      .from(savedReplies)
      .where(eq(savedReplies.orgId, caller.organizationId))
      .orderBy(asc(sql`lower(${savedReplies.title})`), asc(savedReplies.id))
      .limit(SAVED_REPLIES_LIMIT),
  );
}

/** @throws Problem 409 when the maximum number exists */
export function createSavedReply(db: Database, caller: Caller, input: SavedReplyInput): Promise<SavedReply> {
  const orgId = caller.organizationId;
  return asTenant(db, caller, async (tx) => {
    const [{ count } = { count: 0 }] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(savedReplies)
      .where(eq(savedReplies.orgId, orgId));
    if (count >= SAVED_REPLIES_LIMIT) {
      throw conflict("too_many_saved_replies", `Не больше ${SAVED_REPLIES_LIMIT} заготовок: удалите ненужные`);
    }
    const [made] = await tx
      .insert(savedReplies)
      .values({ orgId, ...input })
      .returning(shown);
    return made!;
  });
}

/** @throws Problem 404 */
export function editSavedReply(
  db: Database,
  caller: Caller,
  id: string,
  { title, text }: SavedReplyInput,
): Promise<SavedReply> {
  return asTenant(db, caller, async (tx) => {
    const [changed] = await tx
      .update(savedReplies)
      .set({ title, text, updatedAt: sql`now()` })
      .where(eq(savedReplies.id, id))
      .returning(shown);
    if (changed === undefined) throw savedReplyNotFound();
    return changed;
  });
}

/** @throws Problem 404 */
export function removeSavedReply(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    const [gone] = await tx.delete(savedReplies).where(eq(savedReplies.id, id)).returning({ id: savedReplies.id });
    if (gone === undefined) throw savedReplyNotFound();
  });
}
