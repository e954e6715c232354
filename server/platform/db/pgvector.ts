/** Uses pgvector if it is installed, in columns beside `embeddings.codes` that the database itself fills and compares. */
import { sql } from "drizzle-orm";
import type { Log } from "#server/platform/log.ts";
import type { Database } from "./database.ts";

/** The first version with `halfvec` and `binary_quantize`. */
const NEEDED = [0, 7];

/**
 * Creates the columns once, if the extension is installed or may be created, and fills in existing vectors. The columns are not part of the
 * migrations, because those must run without the extension. They have no index: an index over all twins would rank rows that the caller may
 * not see and filter them afterwards.
 * @returns whether the database can search for nearest vectors
 */
export async function preparePgvector(db: Database, log: Log): Promise<boolean> {
  try {
    if (!(await hasExtension(db))) return false;
    await db.transaction(async (tx) => {
      // Servers that start at the same time do this one after the other.
      await tx.execute(sql`select pg_advisory_xact_lock(727460002)`);
      await tx.execute(sql`
        create or replace function vector_codes(codes bytea) returns real[] language sql immutable strict parallel safe as $$
          select array_agg((case when code > 127 then code - 256 else code end)::real order by place)
          from (select place, get_byte(codes, place) as code from generate_series(0, length(codes) - 1) place) bytes $$`);
      await tx.execute(sql`
        alter table embeddings
          add column if not exists direction halfvec generated always as (vector_codes(codes)::halfvec) stored,
          add column if not exists direction_signs bit varying
            generated always as (binary_quantize(vector_codes(codes)::halfvec)) stored`);
    });
    return true;
  } catch (error) {
    log.warn({ err: error }, "pgvector cannot be used: vectors are compared in this process");
    return false;
  }
}

async function hasExtension(db: Database): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select default_version as version, installed_version as installed from pg_available_extensions where name = 'vector'`);
  const found = rows[0] as { version: string; installed: string | null } | undefined;
  if (found === undefined || !isNewEnough(found.installed ?? found.version)) return false;
  if (found.installed === null) await db.execute(sql`create extension if not exists vector`);
  return true;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > NEEDED[0]! || (major === NEEDED[0]! && minor >= NEEDED[1]!);
}
