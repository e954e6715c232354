/**
 * Determines which contacts are one person. Every count of people uses this module, so that one person with several contacts counts once
 * (docs/decisions/021-shared-past-replies.md).
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";

/** Minimum number of people who must have received or asked something similar before it may be used for other contacts. */
export const MIN_PEOPLE = 3;

/** Maps each contact to its person: the first of the contacts that count as one. */
export type People = ReadonlyMap<number, number>;

/**
 * Returns the people of a twin. Contacts are one person if they share a name or if a member has ever merged them; separating them again
 * publishes nothing. Two people with one name count once, which can only publish fewer replies.
 */
export async function personOfContacts(tx: Tx, twinId: string): Promise<People> {
  const { rows } = await tx.execute(sql`
    select id, lower(trim(name)) as name, merged_id as merged, person_id as person
    from contacts where twin_id = ${twinId} order by id`);
  const found = new Map<number, number>();
  const personOf = (id: number): number => {
    let person = id;
    while (found.get(person) !== person) person = found.get(person)!;
    found.set(id, person);
    return person;
  };
  const firstWith = new Map<string, number>();
  for (const { id, name, merged, person } of rows) {
    const contact = Number(id);
    found.set(contact, contact);
    for (const [kind, value] of Object.entries({ name, merged, person })) {
      if (value === null || value === "") continue;
      const key = `${kind} ${value}`;
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, contact);
      else {
        const [one, other] = [personOf(first), personOf(contact)];
        found.set(Math.max(one, other), Math.min(one, other));
      }
    }
  }
  return new Map([...found.keys()].map((id) => [id, personOf(id)]));
}

/**
 * Returns by how much the number of people fell after contacts were merged; no earlier count can have fallen by more. Contacts added or
 * deleted in between do not count.
 */
export function lostPeople(before: People, after: People): number {
  const contacts = [...before.keys()].filter((id) => after.has(id));
  let lost = 0;
  for (const one of Map.groupBy(contacts, (id) => after.get(id)!).values())
    lost += new Set(one.map((id) => before.get(id)!)).size - 1;
  return lost;
}

/**
 * Identifies the asker of a conversation for figures that only members see: the person as merged now. Without a contact it is the
 * conversation, if given; otherwise null, so that the owner's own test chats are no person.
 */
export const askerOf = (contactId: SQLWrapper, conversationId?: SQLWrapper): SQL<string | null> =>
  sql<string | null>`coalesce(
  (select asker.person_id::text from contacts asker where asker.id = ${contactId}), ${contactId}::text,
  ${conversationId === undefined ? sql`null` : conversationId}::text)`;
