/** The server that `npm start` runs, as a process of its own with a data folder of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { TELEGRAM_LOGIN } from "#server/test/sign-in/telegram-sign-in.ts";

// The scripts are plain JavaScript outside this project's types.
const script = (name: string) => import(new URL(`../../scripts/${name}`, import.meta.url).href);
type Started = { url: string; stop(): Promise<void> };
const { startPostgres } = (await script("postgres.mjs")) as { startPostgres: () => Promise<Started | undefined> };
const { freePort } = (await script("free-port.mjs")) as { freePort: () => Promise<number> };
const { serverFlags, serverEnvironment } = (await script("server-flags.mjs")) as {
  serverFlags: string[];
  serverEnvironment: Record<string, string>;
};

interface Served {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const START_MS = 120_000;

interface Start {
  postgres: Started | undefined;
  folder: string;
  environment: Record<string, string>;
  heard?: ((line: string) => void) | undefined;
}

/**
 * @param environment beside what every bench sets
 * @param heard each line of the server's log; else it is passed on
 * @throws Error when there is no PostgreSQL, or no start within two minutes
 */
export async function startServed(
  engine: "pglite" | "postgres",
  folder: string,
  environment: Record<string, string> = {},
  heard?: (line: string) => void,
): Promise<Served> {
  const postgres = engine === "postgres" ? await requirePostgres() : undefined;
  const server = await startProcess({ postgres, folder, environment, heard });
  return {
    ...server,
    async stop() {
      await server.stop();
      await postgres?.stop();
    },
  };
}

/** A process that answers requests and one that works, on one PostgreSQL. @throws Error as `startServed` does */
export async function startWebAndWorker(
  folder: string,
  environment: Record<string, string> = {},
): Promise<{ web: Served; worker: Served; stop(): Promise<void> }> {
  const postgres = await requirePostgres();
  const ofRole = (role: string) => startProcess({ postgres, folder, environment: { ...environment, ROLE: role } });
  const web = await ofRole("web");
  // A web alone is not ready while jobs are due, but nothing is due yet.
  const worker = await ofRole("worker");
  return {
    web,
    worker,
    async stop() {
      await Promise.all([web.stop(), worker.stop()]);
      await postgres.stop();
    },
  };
}

async function requirePostgres(): Promise<Started> {
  const postgres = await startPostgres();
  if (postgres === undefined) throw new Error("no PostgreSQL");
  return postgres;
}

async function startProcess({ postgres, folder, environment, heard }: Start): Promise<Served> {
  const port = await freePort();
  const child = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, "../../server/main.ts")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ...serverEnvironment,
      HOST: "127.0.0.1",
      PORT: String(port),
      DEMO: "1",
      ...TELEGRAM_LOGIN,
      LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
      REQUESTS_PER_MINUTE: "0",
      DATA_DIR: join(folder, "data"),
      ...(postgres && { DATABASE_URL: postgres.url, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }),
      ...environment,
    },
    stdio: ["ignore", "ignore", heard === undefined ? "inherit" : "pipe"],
  });
  if (heard !== undefined) createInterface({ input: child.stderr! }).on("line", heard);
  const leave = () => child.kill("SIGKILL");
  process.once("exit", leave);
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + START_MS; !(await fetch(`${url}/readyz`).catch(() => null))?.ok; await pause(50)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error("The server did not start");
  }
  return {
    url,
    pid: child.pid!,
    async stop() {
      process.off("exit", leave);
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      // The server itself gives up after ten seconds.
      await Promise.race([ended, pause(15_000).then(() => child.kill("SIGKILL"))]);
    },
  };
}
