import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";

/** Minimum number of people who must have received or asked something similar before it may be used for anybody else. */
export const MIN_PEOPLE = 3;

/**
 * Maps each contact of a twin to the first contact with the same name, so that a person on two platforms, or imported twice, counts once.
 * Two people with one name count once too, which can only open fewer replies, never more.
 */
export async function personOfContacts(tx: Tx, twinId: string): Promise<Map<number, number>> {
  const { rows } = await tx.execute(sql`
    select id, min(id) over (partition by case when trim(name) = '' then id::text else lower(trim(name)) end) as person
    from contacts where twin_id = ${twinId}`);
  return new Map(rows.map(({ id, person }) => [Number(id), Number(person)]));
}
