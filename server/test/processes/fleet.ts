/** Several processes of the real server on one PostgreSQL, those that answer requests behind a balancer. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { TELEGRAM_LOGIN, telegramSignIn } from "../sign-in/telegram-sign-in.ts";
import { type ChildServer, type Ended, startServer } from "./child-server.ts";
import { type RoundRobin, startRoundRobin } from "./round-robin.ts";

export type MemberRole = "all" | "web" | "worker";

export interface Member {
  role: MemberRole;
  /** `http://127.0.0.1:port` of the process itself, another one after each start. */
  url(): string;
  pid(): number;
  /** What its process has printed so far, its log. */
  printed(): string;
  /** Asks it to end, or kills it; the balancer goes on sending requests there. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<Ended>;
  start(): Promise<void>;
}

export interface Fleet {
  balancer: RoundRobin;
  members: Member[];
  /** A call of the owner's through the balancer. @throws CallFailed unless it succeeds; TypeError where the balancer does not answer */
  // biome-ignore lint/suspicious/noExplicitAny: the contract's checks are other tests' business
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<any>;
  /** Reads a stream through the balancer until it ends, breaks or is aborted. */
  read(path: string, signal: AbortSignal, heard: (text: string) => void): Promise<void>;
  /** What the owner's calls carry, for those that are made past the balancer. */
  headers(): { authorization: string };
  rows<Row>(query: string): Promise<Row[]>;
  close(): Promise<void>;
}

export class CallFailed extends Error {
  override name = "CallFailed";
  /** The answer's code, where it is one of the server's own. */
  readonly code: string | null;

  constructor(call: string, status: number, text: string) {
    super(`${call}: ${status} ${text}`);
    this.code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
  }
}

/**
 * Starts all at once.
 * @param databaseUrl of a database for it alone; an empty one is migrated
 */
export async function startFleet(
  databaseUrl: string,
  roles: readonly MemberRole[],
  environment: Record<string, string>,
): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), "dt-fleet-"));
  const balancer = await startRoundRobin();
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  database.on("error", () => {});
  const given = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: "5",
    MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    DATA_DIR: join(folder, "data"),
    DEMO: "0",
    LOG_LEVEL: "warn",
    REQUESTS_PER_MINUTE: "0",
    ...TELEGRAM_LOGIN,
    ...environment,
  };
  let authorization = "";
  const fleet: Fleet = {
    balancer,
    members: await Promise.all(roles.map((role) => startMember(role, { ...given, ROLE: role }, folder, balancer))),
    async call(method, path, body, headers = {}) {
      const answer = await fetch(`${balancer.url}${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new CallFailed(`${method} ${path}`, answer.status, await answer.text());
      return answer.json();
    },
    async read(path, signal, heard) {
      try {
        const { body } = await fetch(`${balancer.url}${path}`, { headers: { authorization }, signal });
        for await (const text of body!.pipeThrough(new TextDecoderStream())) heard(text);
      } catch {
        // The reader checks elsewhere.
      }
    },
    headers: () => ({ authorization }),
    rows: async <Row>(query: string) => (await database.query(query)).rows as Row[],
    async close() {
      await Promise.all(fleet.members.map((member) => member.end("SIGKILL")));
      await balancer.close();
      await database.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const person = telegramSignIn({ first_name: "Анна", last_name: "К" });
  authorization = `Bearer ${(await fleet.call("POST", "/api/auth/telegram", person)).token}`;
  return fleet;
}

async function startMember(
  role: MemberRole,
  environment: Record<string, string>,
  folder: string,
  { targets }: RoundRobin,
): Promise<Member> {
  let server: ChildServer = await startServer(environment, folder);
  if (role !== "worker") targets.push(server.url);
  return {
    role,
    url: () => server.url,
    pid: () => server.process.pid!,
    printed: () => server.printed(),
    end: (signal) => server.end(signal),
    async start() {
      const before = server.url;
      server = await startServer(environment, folder);
      const place = targets.indexOf(before);
      if (place >= 0) targets[place] = server.url;
    },
  };
}
