import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { test as base, type ConsoleMessage, expect } from "@playwright/test";
import { newDemoFolder, newFolder, removeFolder } from "./demo-data.ts";

export { expect };

/** A first start is ten seconds of work; one that has ended is noticed at once, however long this is. */
const READY_MS = 120_000;

/** A running copy of the product: embedded database and engine, demo workspace, a data folder of its own. */
export type Server = { url: string; dataFolder: string; log: () => string };

type TestOptions = {
  /** Console errors that the test expects: `test.use({ allowedConsoleErrors: [/…/] })`. */
  allowedConsoleErrors: RegExp[];
};

type TestFixtures = TestOptions & { cleanConsole: undefined };

type WorkerFixtures = {
  server: Server;
  /** Further environment of the worker's server: `test.use({ serverEnvironment: { … } })` at the top of a file. */
  serverEnvironment: Record<string, string>;
};

/**
 * Playwright's `test` with a server behind `baseURL`, shared by the tests of one worker, so each test signs up a user
 * of its own where it changes anything. A test fails when the page throws or writes to console.error.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverEnvironment: [{}, { scope: "worker", option: true }],
  server: [
    async ({ serverEnvironment }, use) => {
      const dataFolder = await (serverEnvironment.DEMO === "0" ? newFolder() : newDemoFolder());
      const server = await startServer(dataFolder, serverEnvironment);
      await use(server);
      await server.stop();
      await removeFolder(dataFolder);
    },
    { scope: "worker", timeout: READY_MS + 15_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  allowedConsoleErrors: [[], { option: true }],
  cleanConsole: [
    async ({ context, allowedConsoleErrors }, use) => {
      const errors: string[] = [];
      context.on("weberror", (event) => errors.push(String(event.error().stack ?? event.error())));
      context.on("console", (message) => {
        if (message.type() === "error" && !isExpectedAnswer(message)) errors.push(message.text());
      });
      await use(undefined);
      const unexpected = errors.filter((text) => !allowedConsoleErrors.some((allowed) => allowed.test(text)));
      expect(unexpected, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

/** Chromium itself reports every 4xx answer. From our API it is an answer that the page shows; a missing file is a fault. */
function isExpectedAnswer(message: ConsoleMessage): boolean {
  const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
  return refused && new URL(message.location().url, "http://localhost").pathname.startsWith("/api/");
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
  const child = spawn(process.execPath, [join(import.meta.dirname, "../server/main.ts")], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...inherited,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataFolder,
      DEMO: "1",
      LOG_LEVEL: "warn",
      // Half a second of each start is reading and compiling the server's own code.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../.cache/e2e-compiled"),
      // Nothing listens there: connected bots are kept and not asked.
      TELEGRAM_API_ROOT: "http://127.0.0.1:9",
      WHATSAPP_GRAPH_URL: "http://127.0.0.1:9",
      SLACK_API_URL: "http://127.0.0.1:9",
      DISCORD_API_URL: "http://127.0.0.1:9",
      EMAIL_IMAP_URL: "imaps://127.0.0.1:9",
      EMAIL_SMTP_URL: "smtps://127.0.0.1:9",
      TELEGRAM_DC: "127.0.0.1:9",
      ...environment,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  // A worker that is told to stop leaves no server behind.
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
    throw new Error(`The server did not become ready:\n${output}`);
  }
  return { url, dataFolder, log: () => output, stop, kill };
}

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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
