/** A running copy of the product for browser tests: embedded database and engine, a data folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

// The scripts are plain JavaScript outside this project's types.
const script = (name: string) => import(new URL(`../../scripts/${name}.mjs`, import.meta.url).href);
const { serverFlags } = (await script("server-flags")) as { serverFlags: string[] };
export const { freePort } = (await script("free-port")) as { freePort: () => Promise<number> };

/** A first start is ten seconds of work; one that has ended is noticed at once, however long this is. */
export const READY_MS = 120_000;

/** What another process needs to know of a running server. */
export interface ServerPlace {
  url: string;
  dataFolder: string;
}

export interface Server extends ServerPlace {
  /** All that it has written since its start. */
  log: () => string;
}

export interface StartedServer extends Server {
  stop: () => Promise<void>;
  /** SIGKILL: nothing is closed, nothing is said. */
  kill: () => Promise<void>;
}

/**
 * Starts server/main.ts in `dataFolder` on `environment.PORT`, else on a free port, and waits until it is ready.
 * @throws with the server's log when it ends or is not ready within two minutes
 */
export async function startServer(
  dataFolder: string,
  environment: Record<string, string> = {},
): Promise<StartedServer> {
  const port = environment.PORT ?? (await freePort());
  const { DATABASE_URL: _, ...inherited } = process.env;
  // Into a file: a pooled server's tests run in other processes than the one that started it.
  const log = openSync(logOf(dataFolder), "w");
  const child = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, "../../server/main.ts")], {
    stdio: ["ignore", log, log],
    env: {
      ...inherited,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataFolder,
      DEMO: "1",
      LOG_LEVEL: "info",
      // Each test comes from an address of its own (e2e/support/fixtures.ts): what is limited by address is limited for it alone.
      TRUST_PROXY: "1",
      // Half a second of each start is reading and compiling the server's own code.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../../.cache/e2e-compiled"),
      // Nothing listens there: connected bots are kept and not asked.
      TELEGRAM_API_ROOT: "http://127.0.0.1:9",
      WHATSAPP_GRAPH_URL: "http://127.0.0.1:9",
      SLACK_API_URL: "http://127.0.0.1:9",
      DISCORD_API_URL: "http://127.0.0.1:9",
      MAX_API_URL: "http://127.0.0.1:9",
      VK_API_URL: "http://127.0.0.1:9",
      AMOCRM_URL: "http://127.0.0.1:9",
      BITRIX24_URL: "http://127.0.0.1:9",
      EMAIL_IMAP_URL: "imaps://127.0.0.1:9",
      EMAIL_SMTP_URL: "smtps://127.0.0.1:9",
      TELEGRAM_DC: "127.0.0.1:9",
      MODEL_HUB_URL: "http://127.0.0.1:9",
      ...environment,
    },
  });
  closeSync(log);
  // A process that is asked to stop leaves no server behind.
  const leave = () => child.kill("SIGKILL");
  process.once("exit", leave);
  const stop = async () => {
    process.off("exit", leave);
    await endProcess(child, "SIGTERM");
  };
  const kill = async () => {
    process.off("exit", leave);
    await endProcess(child, "SIGKILL");
  };
  const url = `http://127.0.0.1:${port}`;
  if (!(await isReady(url, child))) {
    await stop();
    throw new Error(`The server did not become ready:\n${serverAt({ url, dataFolder }).log()}`);
  }
  return { ...serverAt({ url, dataFolder }), stop, kill };
}

export const serverAt = (place: ServerPlace): Server => ({
  ...place,
  log: () => readFileSync(logOf(place.dataFolder), "utf8"),
});

const logOf = (dataFolder: string) => join(dataFolder, "server.log");

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  for (const until = Date.now() + READY_MS; Date.now() < until; ) {
    if (hasEnded(child)) return false;
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const force = setTimeout(() => child.kill("SIGKILL"), 12_000);
  await ended;
  clearTimeout(force);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
