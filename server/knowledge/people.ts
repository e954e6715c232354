import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";

/** So many people must have been told, or have asked, the like before anybody else may be told it. */
export const LEAST_PEOPLE = 3;

/**
 * Of each contact of a twin the first one of the same name: one person on two platforms, or imported twice, counts once. Two people of one
 * name count once too, which opens less and never more.
 */
export async function personOfContacts(tx: Tx, twinId: string): Promise<Map<number, number>> {
  const { rows } = await tx.execute(sql`
    select id, min(id) over (partition by case when trim(name) = '' then id::text else lower(trim(name)) end) as person
    from contacts where twin_id = ${twinId}`);
  return new Map(rows.map(({ id, person }) => [Number(id), Number(person)]));
}
