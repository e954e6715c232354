/** Whether a lesson holds what belongs to one person: then it is said to nobody else. */
import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { contactNamesOf } from "#server/knowledge/exemplars.ts";
import { isFirstName } from "#server/knowledge/first-names.ts";
import { slotsOf } from "#server/knowledge/slots.ts";
import { createVault, redact } from "#server/language/redact.ts";

/**
 * Why the texts may not be said to everybody, a Russian sentence; null where they may. In a talk with a contact any person's name, any
 * phone, e-mail or document, and any deed done or promised to one person is taken for that contact's own; in the owner's test chat
 * only what a contact is called or has written.
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
      select 1 from conversation_messages line join conversations talk on talk.id = line.conversation_id
      where talk.twin_id = ${twinId} and talk.contact_id is not null and line.role = 'user' and strpos(line.content, value) > 0
    ) limit 1`);
  return rows.length > 0;
}
