/**
 * Mixed load on the server that `npm start` runs, for as long as is asked: `npm run soak -- --minutes 15 --engine embedded`. Prints for each
 * minute and process: calls, replies, errors, p50 and p99, seconds in which nothing was answered, memory, open descriptors, how late the
 * event loop was. `--engine` is embedded or postgres; `--processes 2` takes one that answers and one that works, on PostgreSQL.
 * `--clients` (8) act at once, `--rest` (300) ms between two acts of each.
 *
 * Ends with 1 when a request failed, ten seconds had no answer, or (from five minutes on) memory or descriptors grew without end.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Met } from "./soak/caller.ts";
import { beginLoad } from "./soak/mixed-load.ts";
import { startServed, startWebAndWorker } from "./soak/served.ts";
import { growthOf, type WatchedProcess, watchProcess } from "./soak/watched-process.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "15" },
    engine: { type: "string", default: "embedded" },
    processes: { type: "string", default: "1" },
    clients: { type: "string", default: "8" },
    rest: { type: "string", default: "300" },
    messages: { type: "string", default: "3000" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const minutes = Number(values.minutes);
const onPostgres = values.engine === "postgres" || values.processes === "2";
/** Seconds without an answer in a row that are a stall: a machine with other work may let a few pass. */
const STALL_S = 10;
const SAMPLE_S = 5;
/** Calls that are answered by the twin. */
const REPLY = /^POST \/(?:api\/ai-generate|v1\/chat\/completions|widget\/[^/]+\/messages)$/;
/** Minutes: a server that has just begun still fills its caches, whatever it does later. */
const JUDGED_FROM = 5;
const MEMORY = { share: 0.3, least: 60 };
const DESCRIPTORS = { share: 0.3, least: 20 };

const folder = await mkdtemp(join(tmpdir(), "dt-soak-"));
const token = randomBytes(24).toString("base64url");
const environment = { METRICS_TOKEN: token };
const { url, processes, stop } = await start();
let failed = false;
try {
  failed = await soak();
} finally {
  await stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

async function start(): Promise<{ url: string; processes: WatchedProcess[]; stop(): Promise<void> }> {
  if (values.processes === "2") {
    const { web, worker, stop } = await startWebAndWorker(folder, environment);
    const processes = [watchProcess("web", web, token), watchProcess("worker", worker, token)];
    return { url: web.url, processes, stop };
  }
  const server = await startServed(onPostgres ? "postgres" : "pglite", folder, environment);
  return { url: server.url, processes: [watchProcess("all", server, token)], stop: server.stop };
}

async function soak(): Promise<boolean> {
  let met: Met[] = [];
  const errors = new Map<string, number>();
  const heard = (one: Met) => {
    met.push(one);
    if (one.error !== null)
      errors.set(`${one.route}: ${one.error}`, (errors.get(`${one.route}: ${one.error}`) ?? 0) + 1);
  };
  const load = await beginLoad(url, heard, {
    clients: Number(values.clients),
    restMs: Number(values.rest),
    importMessages: Number(values.messages),
    folder,
  });
  say(
    `${onPostgres ? "postgres" : "embedded"}, ${processes.length} process${processes.length > 1 ? "es" : ""}, ${values.clients} at once`,
  );
  say(
    "| minute | load | calls | replies | errors | p50 · p99 ms | replies p50 · p99 ms | imported/s | longest stall s | readyz | process | MB | heap MB | descriptors | loop late p50 · p99 · max ms |",
  );
  say("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
  const worst = { stallS: 0, delayMs: 0 };
  met = [];
  for (let minute = 1; minute <= Math.ceil(minutes); minute++) {
    const stall = await aMinute(Math.min(60_000, (minutes - minute + 1) * 60_000), () => met);
    worst.stallS = Math.max(worst.stallS, stall);
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      ({ status }) => String(status),
      (error: Error) => error.name,
    );
    const { messages, seconds } = load.pace;
    const imported = seconds === 0 ? "–" : (messages / seconds).toFixed(0);
    const counted = [minute, loadavg()[0]!.toFixed(1), ...countsOf(met), imported, stall, ready];
    met = [];
    Object.assign(load.pace, { messages: 0, seconds: 0 });
    for (const one of processes) {
      const { rssMb, heapMb, descriptors, delay } = await one.readMinute();
      worst.delayMs = Math.max(worst.delayMs, delay.max);
      const late = [delay.p50, delay.p99, delay.max].map((ms) => ms.toFixed(0)).join(" · ");
      const shown = one === processes[0] ? counted : counted.map(() => "");
      say(`| ${[...shown, one.name, rssMb.toFixed(0), heapMb.toFixed(0), descriptors, late].join(" | ")} |`);
    }
  }
  await Promise.race([load.stop(), pause(30_000)]);
  for (const [error, times] of [...errors].sort((a, b) => b[1] - a[1]).slice(0, 20)) say(`${times} × ${error}`);
  return judge(errors, worst);
}

/** @returns the longest stall, s */
async function aMinute(ms: number, met: () => readonly Met[]): Promise<number> {
  const wellMet = () => met().filter(({ error }) => error === null).length;
  let still = 0;
  let longest = 0;
  let answered = wellMet();
  const until = Date.now() + ms;
  for (let second = 1; Date.now() < until; second++) {
    await pause(1000);
    const well = wellMet();
    still = well > answered ? 0 : still + 1;
    answered = well;
    longest = Math.max(longest, still);
    if (second % SAMPLE_S === 0) await Promise.all(processes.map((one) => one.sample()));
  }
  return longest;
}

/** Calls, replies, errors, p50 and p99 of them all and of the replies. */
function countsOf(met: readonly Met[]): (number | string)[] {
  const replies = met.filter(({ route, error }) => error === null && REPLY.test(route));
  const wrong = met.filter(({ error }) => error !== null).length;
  return [met.length, replies.length, wrong, timesOf(met), timesOf(replies)];
}

function timesOf(met: readonly Met[]): string {
  const sorted = met.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
  return `${at(0.5)} · ${at(0.99)}`;
}

/** The last line. @returns whether something is not as it should be */
function judge(errors: ReadonlyMap<string, number>, worst: { stallS: number; delayMs: number }): boolean {
  const failures = [...errors.values()].reduce((sum, times) => sum + times, 0);
  const said = [`${failures} failed`, `longest stall ${worst.stallS} s`, `loop late ${worst.delayMs.toFixed(0)} ms`];
  let grows = false;
  for (const { name, samples } of processes) {
    const memory = growthOf(
      samples.map(({ rssMb }) => rssMb),
      MEMORY,
    );
    const open = growthOf(
      samples.map(({ descriptors }) => descriptors),
      DESCRIPTORS,
    );
    grows ||= memory.unbounded || open.unbounded;
    said.push(
      `${name} ${memory.first.toFixed(0)} → ${memory.last.toFixed(0)} MB, ${open.first} → ${open.last} descriptors`,
    );
  }
  const bad = failures > 0 || worst.stallS >= STALL_S || (grows && minutes >= JUDGED_FROM);
  const growth = minutes < JUDGED_FROM ? ", growth not judged in so short a time" : grows ? ", GROWS" : "";
  say(`${bad ? "BAD" : "good"} (first quarter → last): ${said.join("; ")}${growth}`);
  return bad;
}
