/** Rights of the requests' role on pg-boss's tables: only the jobs of its own organisation. */
import { sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";

/** pg-boss's tables: the parent, from which jobs are deleted, and the partition into which they are inserted. */
export const JOB_TABLES = ["job", "job_common"];

/** Restricts requests to jobs of their tenant by row-level security. The tables' owner, as which pg-boss works, is not restricted. */
export async function openQueueToTenants(db: Database): Promise<void> {
  const { rows } = await db.execute(
    sql`select count(*) as open from pg_policies where schemaname = 'jobs' and policyname = 'tenant'`,
  );
  if (rows[0]!.open === JOB_TABLES.length) return;
  await db.transaction(async (tx) => {
    // Servers that start at the same time do this one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(727460003)`);
    await tx.execute(sql`grant usage on schema jobs to dt_request`);
    // A new job takes default values from its queue's row.
    await tx.execute(sql`grant select on jobs.queue to dt_request`);
    for (const table of JOB_TABLES.map((name) => sql`jobs.${sql.identifier(name)}`)) {
      const own = sql`(data->>'organizationId' = nullif(current_setting('app.org', true), ''))`;
      await tx.execute(sql`alter table ${table} enable row level security`);
      await tx.execute(sql`drop policy if exists tenant on ${table}`);
      await tx.execute(sql`create policy tenant on ${table} to dt_request using ${own} with check ${own}`);
      await tx.execute(sql`grant select, insert, delete on ${table} to dt_request`);
    }
  });
}
