/**
 * The real server with a database of its own and an owner who calls it: it can be killed and started again on what it has left.
 * The database is embedded, or the empty one that KILLED_DATABASE_URL names.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect } from "vitest";
import { startPglite } from "#server/platform/db/database.ts";
import { TWIN } from "../factories/twin-input.ts";
import { TELEGRAM_LOGIN, telegramSignIn } from "../sign-in/telegram-sign-in.ts";
import { type ChildServer, type Ended, startServer } from "./child-server.ts";
import { prepareDataFolder } from "./data-folder.ts";

export interface KillableServer {
  /** `http://127.0.0.1:port`, another one after each start. */
  url(): string;
  /** A call of the owner's, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract's checks are other tests' business
  call(method: string, path: string, body?: object): Promise<any>;
  /** A call of the owner's whose answer is read as it comes. */
  stream(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
  /** A twin of the owner's; gives its id. */
  twin(): Promise<string>;
  /** Kills it outright; it stays away until it is started. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** What the running or starting process has printed so far. */
  printed(): string;
  /** Asks it to end, and waits for that. */
  stop(): Promise<Ended>;
  /** What the database holds; for a time when no server runs. */
  rows<Row>(query: string): Promise<Row[]>;
  /** Kills what still runs and removes what it has left. */
  close(): Promise<void>;
}

/** For the hook that waits for it: child-server.ts says when a start has failed. */
export const SERVER_START_MS = 180_000;

/** @param givenDataDir a folder on a disk of the test's own */
export async function startKillableServer(
  environment: Record<string, string>,
  givenDataDir?: string,
): Promise<KillableServer> {
  const folder = await mkdtemp(join(tmpdir(), "dt-killed-"));
  const dataDir = givenDataDir ?? join(folder, "data");
  const databaseUrl = process.env.KILLED_DATABASE_URL;
  const given: Record<string, string> = {
    DATA_DIR: dataDir,
    DEMO: "0",
    LOG_LEVEL: "warn",
    REQUESTS_PER_MINUTE: "0",
    ...TELEGRAM_LOGIN,
    ...environment,
    ...(databaseUrl && { DATABASE_URL: databaseUrl, MASTER_KEY: Buffer.alloc(32, 1).toString("base64") }),
  };
  if (databaseUrl === undefined) await prepareDataFolder(dataDir);
  let server: ChildServer = await startServer(given, folder);
  let authorization = "";
  let printed = "";
  const started: KillableServer = {
    url: () => server.url,
    async call(method, path, body) {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(answer.ok, `${path} ${answer.status}`).toBe(true);
      return answer.json();
    },
    stream: (path, body, headers) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { ...headers, authorization, accept: "text/event-stream", "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async twin() {
      const { id } = await started.call("POST", "/api/digital-twins", TWIN);
      return id;
    },
    async kill() {
      await server.end("SIGKILL");
    },
    async start() {
      printed = "";
      server = await startServer(given, folder, (text) => {
        printed = text;
      });
    },
    printed: () => printed,
    stop: () => server.end("SIGTERM"),
    rows: <Row>(query: string) =>
      databaseUrl === undefined ? rowsOfFolder<Row>(join(dataDir, "database"), query) : rowsOf<Row>(databaseUrl, query),
    async close() {
      await server.end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
  const person = telegramSignIn({ first_name: "Анна", last_name: "К" });
  authorization = `Bearer ${(await started.call("POST", "/api/auth/telegram", person)).token}`;
  return started;
}

async function rowsOfFolder<Row>(folder: string, query: string): Promise<Row[]> {
  const database = await startPglite({ dataDir: folder });
  try {
    return (await database.query<Row>(query)).rows;
  } finally {
    await database.close();
  }
}

async function rowsOf<Row>(connectionString: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(query)).rows as Row[];
  } finally {
    await client.end();
  }
}
