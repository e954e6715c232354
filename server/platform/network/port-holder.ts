/** Says who listens on a port of this machine, as far as Linux tells this user. */
import { readdir, readFile, readlink } from "node:fs/promises";

export interface PortHolder {
  pid: number;
  /** The program and its arguments; they may hold no secrets, because any user of the machine can read them. */
  command: string;
}

const LISTENING = "0A";
const COMMAND_CHARS = 80;

/** @returns null if nobody is found: on another system, or when another user's process holds the port */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  try {
    const sockets = await socketsOn(port);
    if (sockets.size === 0) return null;
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) if (await holds(pid, sockets)) return { pid: Number(pid), command: await commandOf(pid) };
  } catch {
    // There is no /proc.
  }
  return null;
}

/** Lines of the table: number, local address, remote address, state, … , inode as the tenth. */
async function socketsOn(port: number): Promise<Set<string>> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => ""));
  const lines = (await Promise.all(tables)).join("\n").split("\n");
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    rows.flatMap(([, local, , state, , , , , , inode]) =>
      local?.endsWith(ending) && state === LISTENING && inode !== undefined ? [`socket:[${inode}]`] : [],
    ),
  );
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const file of files) {
    const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
    if (sockets.has(target)) return true;
  }
  return false;
}

async function commandOf(pid: string): Promise<string> {
  const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
  return command.length <= COMMAND_CHARS ? command : `${command.slice(0, COMMAND_CHARS)}…`;
}
