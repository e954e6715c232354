/**
 * Tables partitioned by month (docs/decisions/011-data-retention.md). The schema `partitions` holds, for each table, one partition before
 * the first month, one per month, and a default one for rows whose month has none yet. The tables' owner maintains them, because only it
 * may use that schema.
 */
import { sql } from "drizzle-orm";
import { type Database, isTableBusy } from "#server/platform/db/database.ts";
import { ROWS_AT_ONCE, repeatUntilEmpty } from "./delete-old.ts";

type MonthlyTable = "activity";

/** Number of months, beginning with the present one, whose partitions exist in advance. */
const MONTHS = 3;
/**
 * Lock timeout of creating or dropping a partition: all other statements would queue behind one that waits for readers. A new partition also
 * locks the tables that its rows refer to, in another order than requests do, so it gives up well before PostgreSQL's deadlock check after a
 * second, which might choose the request. The next hour tries again.
 */
const LOCK = "500ms";

interface Partition {
  name: string;
  /** End of the partition, exclusive, in milliseconds since 1970; null: the default partition. */
  ends: number | null;
}

/**
 * Creates the partitions that will be needed, drops those whose newest row has expired, and deletes single rows only from partitions that
 * hold several months.
 * @param before milliseconds since 1970; a month's rows stay until the newest of them is older
 */
export async function maintainMonthPartitions(
  db: Database,
  table: MonthlyTable,
  { now, before, signal }: { now: number; before: number; signal?: AbortSignal },
): Promise<void> {
  const partitions = await partitionsOf(db, table);
  for (let ahead = 0; ahead < MONTHS; ahead++) await addMonth(db, table, partitions, monthAfter(now, ahead));
  for (const { name, ends } of partitions) {
    if (ends !== null && ends <= before) await briefly(db, sql`drop table if exists ${inSchema(name)}`);
    else if (!isMonth(table, name)) await deleteRows(db, name, before, signal);
  }
}

async function partitionsOf(db: Database, table: MonthlyTable): Promise<Partition[]> {
  const { rows } = await db.execute(sql`
    select c.relname as name, extract(epoch from
      (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO [(]''([^'']+)''[)]'))[1]::timestamptz)::float8 * 1000 as ends
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${`public.${table}`}::regclass`);
  return rows as unknown as Partition[];
}

async function addMonth(db: Database, table: MonthlyTable, partitions: readonly Partition[], month: Date) {
  const [from, to] = [month.toISOString(), monthAfter(month.getTime(), 1).toISOString()];
  const name = `${table}_${from.slice(0, 7).replace("-", "_")}`;
  const first = partitions.find((one) => one.name === `${table}_before`)?.ends ?? 0;
  if (month.getTime() < first || partitions.some((one) => one.name === name)) return;
  // Rows of that month that are already in the default partition stay there.
  const { rows } = await db.execute(sql`
    select exists (select from ${inSchema(`${table}_rest`)} where created_at >= ${from} and created_at < ${to}) as late`);
  if (rows[0]!.late === true) return;
  await briefly(
    db,
    sql`create table if not exists ${inSchema(name)} partition of ${sql.identifier(table)}
      for values from (${sql.raw(`'${from}'`)}) to (${sql.raw(`'${to}'`)})`,
    sql`alter table ${inSchema(name)} enable row level security`,
  );
}

async function briefly(db: Database, ...statements: ReturnType<typeof sql>[]): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = ${sql.raw(`'${LOCK}'`)}`);
      for (const statement of statements) await tx.execute(statement);
    });
  } catch (error) {
    if (!isTableBusy(error)) throw error;
  }
}

/** Ids ascend with time, so the oldest rows come first in the primary key. */
async function deleteRows(db: Database, name: string, before: number, signal?: AbortSignal): Promise<void> {
  const partition = inSchema(name);
  await repeatUntilEmpty(signal, () =>
    db.execute(sql`
      with oldest as (select id, created_at from ${partition} order by id, created_at limit ${ROWS_AT_ONCE})
      delete from ${partition} as gone using oldest
      where gone.id = oldest.id and gone.created_at = oldest.created_at
        and oldest.created_at < ${new Date(before).toISOString()}`),
  );
}

const isMonth = (table: MonthlyTable, name: string): boolean => /^_\d{4}_\d{2}$/.test(name.slice(table.length));

const inSchema = (name: string) => sql`partitions.${sql.identifier(name)}`;

/** Returns the first moment of the month that is this many months after the month of `at`, in UTC. */
function monthAfter(at: number, months: number): Date {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}
