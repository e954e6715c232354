/** Checks what must not be published even if the owner wants it. It publishes nothing: a text that passes still belongs to the contact. */
import { sql } from "drizzle-orm";
import { createVault, redact } from "#server/knowledge/language/redact.ts";
import { slotsOf } from "#server/knowledge/language/slots.ts";
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Returns the reason, in Russian, why the texts must not be published; null when they may. In a conversation with a contact, any person's
 * name, phone, e-mail or document, and anything done for or promised to one person is private. In the owner's test chat only contacts'
 * names and messages are.
 */
export async function personalReason(
  tx: Tx,
  twinId: string,
  texts: readonly string[],
  { withContact }: { withContact: boolean },
): Promise<string | null> {
  const text = texts.join("\n");
  if ((await contactNamesOf(tx, twinId)).occurIn(text)) return "Здесь есть имя одного из ваших собеседников.";
  const data = personalData(text);
  if (withContact) {
    if (data.length > 0) return "Здесь есть телефон, почта или номер документа.";
    const slots = slotsOf(text);
    if (slots.some(({ kind, text: word }) => kind === "name" && isFirstName(plain(word), true)))
      return "Здесь есть имя человека.";
    if (slots.some(({ kind }) => kind === "handle" || kind === "private"))
      return "Здесь есть то, что касается одного человека.";
    return null;
  }
  return (await contactsWrote(tx, twinId, data)) ? "Такие данные есть в словах одного из ваших собеседников." : null;
}

const plain = (word: string) => word.toLowerCase().replaceAll("ё", "е");

function personalData(text: string): string[] {
  const vault = createVault();
  redact(text, vault);
  return Object.values(vault.values);
}

async function contactsWrote(tx: Tx, twinId: string, data: readonly string[]): Promise<boolean> {
  if (data.length === 0) return false;
  const { rows } = await tx.execute(sql`
    select 1 from unnest(${sql.param(data)}::text[]) as value where exists (
      select 1 from messages where twin_id = ${twinId} and contact_id is not null and strpos(text, value) > 0
    ) or exists (
      select 1 from conversation_messages line join conversations c on c.id = line.conversation_id
      where c.twin_id = ${twinId} and c.contact_id is not null and line.role = 'user' and strpos(line.content, value) > 0
    ) limit 1`);
  return rows.length > 0;
}
