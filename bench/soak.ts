/**
 * Mixed load on the server that `npm start` runs, for as long as is asked: `npm run soak -- --minutes 15 --engine pglite`. Prints a line
 * a minute: calls, errors, p50 and p99, seconds in which nothing was answered, memory of the server. Ends with 1 when there was an error
 * or ten seconds without an answer. `--engine` is pglite or postgres, `--clients` (8) act at once, `--rest` (300) ms between two acts of each.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Met } from "./soak/caller.ts";
import { beginLoad } from "./soak/mixed-load.ts";
import { startServed } from "./soak/served.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "15" },
    engine: { type: "string", default: "pglite" },
    clients: { type: "string", default: "8" },
    rest: { type: "string", default: "300" },
    messages: { type: "string", default: "3000" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const minutes = Number(values.minutes);
/** Seconds without an answer in a row that are a stall: a machine with other work may let a few pass. */
const STALL_S = 10;

const folder = await mkdtemp(join(tmpdir(), "dt-soak-"));
const server = await startServed(values.engine === "postgres" ? "postgres" : "pglite", folder);
let failed = false;
try {
  failed = await soak();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

async function soak(): Promise<boolean> {
  let met: Met[] = [];
  const errors = new Map<string, number>();
  const heard = (one: Met) => {
    met.push(one);
    if (one.error !== null)
      errors.set(`${one.route}: ${one.error}`, (errors.get(`${one.route}: ${one.error}`) ?? 0) + 1);
  };
  const load = await beginLoad(server.url, heard, {
    clients: Number(values.clients),
    restMs: Number(values.rest),
    importMessages: Number(values.messages),
    folder,
  });
  say(`${values.engine}, ${values.clients} at once`);
  say("| minute | calls | errors | p50 ms | p99 ms | longest stall s | readyz | server MB |");
  say("|---|---|---|---|---|---|---|---|");
  let worst = 0;
  met = [];
  for (let minute = 1; minute <= Math.ceil(minutes); minute++) {
    let still = 0;
    let longest = 0;
    let answered = met.length;
    const until = Date.now() + Math.min(60_000, (minutes - minute + 1) * 60_000);
    while (Date.now() < until) {
      await pause(1000);
      const well = met.filter(({ error }) => error === null).length;
      still = well > answered ? 0 : still + 1;
      answered = well;
      longest = Math.max(longest, still);
    }
    worst = Math.max(worst, longest);
    const ready = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      ({ status }) => String(status),
      (error: Error) => error.name,
    );
    const sorted = met.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
    const wrong = met.filter(({ error }) => error !== null).length;
    say(
      `| ${minute} | ${met.length} | ${wrong} | ${at(0.5)} | ${at(0.99)} | ${longest} | ${ready} | ${await memory()} |`,
    );
    met = [];
  }
  await Promise.race([load.stop(), pause(30_000)]);
  for (const [error, times] of [...errors].sort((a, b) => b[1] - a[1]).slice(0, 20)) say(`${times} × ${error}`);
  return errors.size > 0 || worst >= STALL_S;
}

async function memory(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
}
