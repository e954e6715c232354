/** A real PgBouncer with a pool of transactions before a PostgreSQL without passwords, as the tests' own does. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

interface PgBouncer {
  /** The same database through the pool. */
  throughPool(databaseUrl: string): string;
  close(): Promise<void>;
}

/** undefined: it is not installed. */
export const findPgBouncer = (): string | undefined =>
  [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"]
    .map((folder) => join(folder, "pgbouncer"))
    .find((path) => existsSync(path));

const scripts = new URL("../../../scripts/free-port.mjs", import.meta.url).href;
const { freePort } = (await import(scripts)) as { freePort: () => Promise<number> };

const START_MS = 30_000;
/** So few that the statements of a connection meet several sessions. */
const SESSIONS = 3;

export async function startPgBouncer(program: string, databaseUrl: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "dt-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const users = join(folder, "users.txt");
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    pool_mode: "transaction",
    default_pool_size: SESSIONS,
    max_client_conn: 300,
    auth_type: "trust",
    auth_file: users,
    // The role of requests is made by the server itself.
    auth_user: username,
    auth_query: "select usename, passwd from pg_shadow where usename = $1",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    ["[databases]", `* = host=${hostname} port=${serverPort || 5432}`, "[pgbouncer]", ...lines, ""].join("\n"),
  );
  const child = spawn(program, [file], { ...unprivileged(), stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  const leave = () => child.kill("SIGKILL");
  process.once("exit", leave);
  for (const until = Date.now() + START_MS; !(await answers(port)); await pause(50)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`PgBouncer did not start:\n${said}`);
  }
  return {
    throughPool(direct) {
      const url = new URL(direct);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    async close() {
      process.off("exit", leave);
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** It refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout));
  return { uid: uid!, gid: gid! };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
