import { readFile } from "node:fs/promises";
import pg from "pg";

/** Length of one clock tick in /proc: Linux reports 100 per second, whatever the kernel's own tick is. */
const TICK_SECONDS = 0.01;

/**
 * Processor time of a PostgreSQL on this machine since it started, seconds: the server, the sessions that have ended and those
 * that live, its background processes. NaN where the system does not tell.
 */
export async function postgresCpuSeconds(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid");
    const { pid } = rows[0] as { pid: string };
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
    const [own, ended] = await ticksOf(pid);
    const living = await Promise.all(children.map(async (child) => (await ticksOf(child))[0]));
    return living.reduce((sum, ticks) => sum + ticks, own + ended) * TICK_SECONDS;
  } catch {
    return Number.NaN;
  } finally {
    await client.end();
  }
}

/** User and system time of a process, and of its children that have ended. */
async function ticksOf(pid: string): Promise<[number, number]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name, in brackets, may hold anything; the times are fields 14 to 17 of proc(5).
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return [user + system, endedUser + endedSystem];
}
