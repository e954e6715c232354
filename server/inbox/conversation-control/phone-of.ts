import { eq } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";

/** Platforms whose id of a person is the phone number that he writes from, as the platform itself says in a signed delivery. */
const BY_PHONE: ReadonlySet<string> = new Set(["whatsapp"]);

/** Returns the phone that the channel vouches for; null: it names none, or hides it. */
export async function phoneOf(tx: Tx, contactId: number, platform: string): Promise<string | null> {
  if (!BY_PHONE.has(platform)) return null;
  const [contact] = await tx.select({ id: contacts.externalId }).from(contacts).where(eq(contacts.id, contactId));
  const id = contact?.id ?? "";
  return /^\+\d[\d -]{8,20}$/.test(id) ? id : null;
}
