/**
 * Reads a whole database in one snapshot, independent of the engine: every value as PostgreSQL's own text of its type, which both engines
 * read back exactly. The schema may be older than this code's, so everything is taken from the database's catalogue.
 */
import { type ClientBase, escapeIdentifier } from "pg";
import { PIECE_BYTES } from "./archive.ts";
import { QUEUE, type Sequences } from "./manifest.ts";

interface DumpedTable {
  /** Name of a table in the schema `public`, or `QUEUE.name`. */
  name: string;
  columns: string[];
  rows: number;
  select: string;
  /** Whether row-level security binds even the table's owner; then it is read as the role that may read all tenants' rows. */
  forced: boolean;
  /** Number of rows per read, so that memory is bounded even for wide rows. */
  rowsAtOnce: number;
}

export interface Snapshot {
  migrations: { hash: string; at: number }[];
  tables: DumpedTable[];
  sequences: Sequences;
  models: string[];
}

const READ_BYTES = 4 * 1024 ** 2;
const MOST_ROWS = 1000;
/**
 * Tables that are only valid in this installation: locations of files (the backup contains the files), running processes, and their
 * passwords.
 */
const OF_PLACE = new Set(["stored_files", "stored_pieces", "server_processes", "request_logins"]);
/** Settings that make the text of dates, times and intervals exact. */
const EXACT = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0;
  set local search_path = public`;

/** Begins the transaction whose snapshot all later reads use; `endSnapshot` ends it. */
export async function beginSnapshot(client: ClientBase): Promise<void> {
  await client.query("begin transaction isolation level repeatable read read only");
  await client.query(EXACT);
}

export async function endSnapshot(client: ClientBase): Promise<void> {
  await client.query("rollback").catch(() => {});
}

/** Returns the contents of the snapshot, with the number of rows of each table. */
export async function readSnapshot(client: ClientBase): Promise<Snapshot> {
  const { rows: journal } = await client.query(
    "select hash, created_at as at from drizzle.__drizzle_migrations order by created_at",
  );
  const { rows: found } = await client.query(`
    select c.relname as name, c.relforcerowsecurity as forced,
      array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(format_type(a.atttypid, null) order by a.attnum) as types
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.oid order by c.relname`);
  const tables: DumpedTable[] = [];
  for (const table of found as { name: string; forced: boolean; columns: string[]; types: string[] }[]) {
    const { name, forced, columns } = table;
    const all = `select ${columns.map(escapeIdentifier).join(", ")} from public.${escapeIdentifier(name)}`;
    const select = OF_PLACE.has(name) ? `${all} where false` : all;
    const measured = await asReader(client, forced, () => client.query(measure(table)));
    const { rows, rowsAtOnce } = sizeOf(measured.rows[0]);
    tables.push({ name, columns, select, forced, rowsAtOnce, rows: OF_PLACE.has(name) ? 0 : rows });
  }
  if (await relationExists(client, "jobs.job")) tables.push(await queueOf(client));
  return {
    migrations: journal.map(({ hash, at }) => ({ hash, at: Number(at) })),
    tables,
    sequences: await readSequences(client),
    models: await readModels(client),
  };
}

/** Yields lines of JSON arrays, a text or null for each column, in pieces of whole lines. */
export async function* dumpTable(
  client: ClientBase,
  { select, forced, rowsAtOnce }: DumpedTable,
): AsyncGenerator<{ bytes: Buffer; rows: number }> {
  if (forced) await client.query("set local role dt_platform");
  await client.query(`declare dump no scroll cursor for ${select}`);
  let lines: string[] = [];
  let length = 0;
  const piece = () => {
    const made = { bytes: Buffer.from(lines.join("")), rows: lines.length };
    lines = [];
    length = 0;
    return made;
  };
  for (;;) {
    const { rows } = await client.query({
      text: `fetch ${rowsAtOnce} from dump`,
      rowMode: "array",
      types: { getTypeParser: () => (value: string) => value },
    });
    for (const row of rows) {
      const line = `${JSON.stringify(row)}\n`;
      lines.push(line);
      length += line.length;
      if (length >= PIECE_BYTES) yield piece();
    }
    if (rows.length < rowsAtOnce) break;
  }
  if (lines.length > 0) yield piece();
  await client.query("close dump");
  if (forced) await client.query("set local role none");
}

async function asReader<T>(client: ClientBase, forced: boolean, work: () => Promise<T>): Promise<T> {
  if (!forced) return work();
  await client.query("set local role dt_platform");
  const done = await work();
  await client.query("set local role none");
  return done;
}

/** SQL for a row's size. Lengths of texts and bytes are known without reading them; other compressed values count four times. */
function measure({ name, columns, types }: { name: string; columns: string[]; types: string[] }): string {
  const widths = columns.map((column, at) => {
    const id = escapeIdentifier(column);
    const type = types[at]!;
    if (type === "bytea") return `2 * coalesce(octet_length(${id}), 0)`;
    if (type === "text") return `coalesce(octet_length(${id}), 0)`;
    return type === "jsonb" || type.endsWith("[]") ? `4 * coalesce(pg_column_size(${id}), 0)` : "32";
  });
  return `select count(*) as rows, max(${widths.join(" + ")}) as widest from public.${escapeIdentifier(name)}`;
}

function sizeOf(row: unknown): Pick<DumpedTable, "rows" | "rowsAtOnce"> {
  const { rows, widest } = row as { rows: string; widest: string | null };
  const fitting = Math.floor(READ_BYTES / Math.max(1, Number(widest ?? 1)));
  return { rows: Number(rows), rowsAtOnce: Math.max(1, Math.min(MOST_ROWS, fitting)) };
}

/** Jobs that wait, will be retried or are running. Every handler may start again, so running a job twice loses nothing. */
async function queueOf(client: ClientBase): Promise<DumpedTable> {
  const from = "from jobs.job where state in ('created', 'retry', 'active')";
  const { rows } = await client.query(`select count(*) as rows, max(octet_length(data::text)) as widest ${from}`);
  const select = `select name, data::text, start_after ${from} order by created_on, id`;
  return { ...QUEUE, select, forced: false, ...sizeOf(rows[0]) };
}

async function readSequences(client: ClientBase): Promise<Sequences> {
  const { rows } = await client.query(`
    select c.relname as table, a.attname as column, s.last_value::text as value
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_sequences s on s.schemaname = 'public'
        and format('%I.%I', s.schemaname, s.sequencename) =
          pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname)
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and s.last_value is not null
    order by 1, 2`);
  return rows as Sequences;
}

async function readModels(client: ClientBase): Promise<string[]> {
  if (!(await relationExists(client, "public.local_models"))) return [];
  const { rows } = await client.query("select name from public.local_models where state = 'ready' order by name");
  return rows.map(({ name }: { name: string }) => name);
}

export async function relationExists(client: ClientBase, relation: string): Promise<boolean> {
  const { rows } = await client.query("select to_regclass($1) is not null as there", [relation]);
  return rows[0].there;
}
