/**
 * What a restart costs: `npm run bench:start`. Imports MESSAGES (20,000) into the embedded database, then starts the server ROUNDS (4) times,
 * after SIGTERM and after SIGKILL in turns, with compiled modules kept as `npm start` keeps them. Prints wall and CPU time of each phase,
 * of all until `GET /readyz` answers 200, and of the ten seconds after it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Console } from "node:console";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type Caller, callerOf } from "./soak/caller.ts";
import { importForever } from "./soak/mixed-load.ts";

// The scripts are plain JavaScript outside this project's types.
const script = (name: string) => import(new URL(`../scripts/${name}`, import.meta.url).href);
const { freePort } = (await script("free-port.mjs")) as { freePort: () => Promise<number> };
const { serverFlags, serverEnvironment } = (await script("server-flags.mjs")) as {
  serverFlags: string[];
  serverEnvironment: Record<string, string>;
};

const out = new Console(process.stdout);
const MESSAGES = Number(process.env.MESSAGES ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const LATER_MS = 10_000;
/** CPU time in ten seconds below which a server is idle. */
const IDLE_MS = 500;

interface Phase {
  phase: string;
  ms: number;
  cpuMs: number;
}
interface Started {
  child: ChildProcess;
  url: string;
  readyMs: number;
  cpuMs: number;
  phases: Phase[];
}

const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
try {
  const first = await start();
  await fill(first);
  await end(first.child, "SIGTERM");
  await end((await start()).child, "SIGTERM");
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const rounds: (Started & { laterMs: number })[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const started = await start();
      await pause(LATER_MS);
      rounds.push({ ...started, laterMs: (await cpuOf(started.child)) - started.cpuMs });
      await end(started.child, signal);
    }
    // The first round of each kind follows a SIGTERM.
    const counted = signal === "SIGKILL" ? rounds.slice(1) : rounds;
    report(signal, counted);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function report(signal: string, rounds: (Started & { laterMs: number })[]): void {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const shown = (of: (started: Started & { laterMs: number }) => number | undefined) =>
    Math.round(middle(rounds.map((started) => of(started) ?? 0)));
  const rows: Record<string, { "wall ms": number | string; "CPU ms": number }> = {};
  for (const { phase } of rounds[0]!.phases) {
    const found = ({ phases }: Started) => phases.find((one) => one.phase === phase);
    rows[phase] = { "wall ms": shown((one) => found(one)?.ms), "CPU ms": shown((one) => found(one)?.cpuMs) };
  }
  rows.ready = { "wall ms": shown(({ readyMs }) => readyMs), "CPU ms": shown(({ cpuMs }) => cpuMs) };
  rows["ten seconds later"] = { "wall ms": "", "CPU ms": shown(({ laterMs }) => laterMs) };
  out.log(`after ${signal}, median of ${rounds.length}, load ${loadavg()[0]!.toFixed(1)}`);
  out.table(rows);
}

async function start(): Promise<Started> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, "../server/main.ts")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ...serverEnvironment,
      NODE_COMPILE_CACHE: join(folder, "compiled"),
      HOST: "127.0.0.1",
      PORT: String(port),
      DEMO: process.env.DEMO ?? "0",
      LOG_LEVEL: "info",
      REQUESTS_PER_MINUTE: "0",
      DATA_DIR: join(folder, "data"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  // The log names the phases a moment after the port is open.
  const phases: Phase[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      if (line.includes('"started"')) phases.push(...(JSON.parse(line) as { phases: Phase[] }).phases);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() - began > 120_000) throw new Error("The server did not start");
    await pause(20);
  }
  const readyMs = performance.now() - began;
  return { child, url, readyMs, cpuMs: await cpuOf(child), phases };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
  running.delete(child);
}

async function fill({ url, child }: Started): Promise<void> {
  const email = `${crypto.randomUUID()}@example.test`;
  const user = { email, password: "достаточно длинный пароль" };
  const { token } = await callerOf(url, () => {}).json("POST", "/api/auth/email/register", user);
  const call: Caller = callerOf(url, () => {}, token);
  const { id: twinId } = await call.json("POST", "/api/digital-twins", TWIN);
  let over = false;
  const once: Caller = {
    ...call,
    // The import ends the round; what it has written stays.
    json: async (method, path, body) => {
      if (path === "/api/knowledge-base/sources") over = true;
      return over ? [] : call.json(method, path, body);
    },
  };
  await importForever({ call: once, twinId }, MESSAGES, folder, () => over);
  const training = async () =>
    (await call.json("GET", `/api/digital-twins/${twinId}/training`)) as { status: string; running: boolean };
  for (let state = await training(); state.status !== "ready" || state.running; state = await training())
    await pause(500);
  // Other jobs follow the training.
  for (let [before, now] = [0, await cpuOf(child)]; now - before > IDLE_MS; [before, now] = [now, await cpuOf(child)])
    await pause(10_000);
}

/** CPU time in ms of a process with all its threads. */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
