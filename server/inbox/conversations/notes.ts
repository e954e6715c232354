/** Members' notes about a contact's conversation: for each other, never for the contact or a model. */
import { and, asc, eq } from "drizzle-orm";
import type { Note, NoteInput } from "#contract/conversations/contact-card.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversationNotes, conversations } from "#server/platform/db/schema/conversations.ts";
import { forbidden, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { canChangeConversation, conversationNotFound, readableBy } from "./access.ts";
import { namesOf } from "./member-names.ts";

const NOTES_LIMIT = 200;

type Row = typeof conversationNotes.$inferSelect;

/** Lists notes, oldest first. @throws Problem 404 */
export async function listNotes(db: Database, caller: Caller, conversationId: string): Promise<Note[]> {
  const rows = await asTenant(db, caller, async (tx) => {
    const [conversation] = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.id, conversationId), readableBy(caller)));
    if (conversation === undefined) throw conversationNotFound();
    return tx
      .select()
      .from(conversationNotes)
      .where(eq(conversationNotes.conversationId, conversationId))
      .orderBy(asc(conversationNotes.createdAt), asc(conversationNotes.id))
      .limit(NOTES_LIMIT);
  });
  return shown(db, caller, rows);
}

/** @throws Problem 404, 403 */
export async function addNote(
  db: Database,
  caller: Caller,
  conversationId: string,
  { text }: NoteInput,
): Promise<Note> {
  const rows = await asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, conversationId);
    return tx
      .insert(conversationNotes)
      .values({ orgId: caller.organizationId, conversationId, authorId: caller.userId, text })
      .returning();
  });
  return (await shown(db, caller, rows))[0]!;
}

/** @throws Problem 404; 403 for another member's note */
export async function editNote(db: Database, caller: Caller, id: string, { text }: NoteInput): Promise<Note> {
  const rows = await asTenant(db, caller, async (tx) => {
    await canChangeNote(tx, caller, id);
    return tx
      .update(conversationNotes)
      .set({ text, editedAt: new Date() })
      .where(eq(conversationNotes.id, id))
      .returning();
  });
  return (await shown(db, caller, rows))[0]!;
}

/** @throws Problem 404; 403 for another member's note */
export function removeNote(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await canChangeNote(tx, caller, id);
    await tx.delete(conversationNotes).where(eq(conversationNotes.id, id));
  });
}

async function canChangeNote(tx: Tx, caller: Caller, id: string): Promise<void> {
  const [note] = await tx
    .select({ authorId: conversationNotes.authorId })
    .from(conversationNotes)
    .innerJoin(conversations, eq(conversations.id, conversationNotes.conversationId))
    .where(and(eq(conversationNotes.id, id), readableBy(caller)))
    // The lock serialises changes of one note: a simultaneous removal ends before this read or begins after this transaction.
    .for("update", { of: conversationNotes });
  if (note === undefined) throw notFound("Заметка не найдена", "note_not_found");
  if (note.authorId !== caller.userId) throw forbidden("forbidden", "Заметку меняет только её автор");
}

async function shown(db: Database, caller: Caller, rows: readonly Row[]): Promise<Note[]> {
  const names = await namesOf(db, [...new Set(rows.map(({ authorId }) => authorId))]);
  return rows.map(({ id, text, authorId, createdAt, editedAt }) => ({
    id,
    text,
    author: names.get(authorId) ?? "Бывший участник",
    mine: authorId === caller.userId,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
  }));
}
