/**
 * Several processes on one PostgreSQL behind a balancer: `npm run bench:rolling`. Prints the ledger of a rolling restart under load, how long a
 * killed worker's channel is left alone, and what one, two and three processes answer in a second. BENCH_ROUNDS (3) rolling restarts,
 * BENCH_SECONDS (15) for each count of processes. Ends with 1 when anything was lost or came twice.
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type Fleet, type MemberRole, startFleet } from "#server/test/processes/fleet.ts";
import { beginLoad, type Ledger } from "#server/test/processes/ledger.ts";
import { startTelegramServer } from "#server/test/servers/telegram-server.ts";
import { startPostgres } from "./postgres/with-postgres.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const AT_ONCE = 24;
const SETTLED_MS = 120_000;
const CLOCK_TICKS_PER_SECOND = 100;
const say = (line = "") => process.stdout.write(`${line}\n`);

const postgres = await startPostgres();
if (postgres === undefined) {
  say("Пропущено: PostgreSQL не найден.");
  process.exit(0);
}
let clean = true;
try {
  clean = await rollAndKill();
  await compareThroughput();
} finally {
  await postgres.stop();
}
process.exit(clean ? 0 : 1);

async function onFleet<Result>(
  roles: readonly MemberRole[],
  environment: Record<string, string>,
  use: (fleet: Fleet) => Promise<Result>,
): Promise<Result> {
  const name = `rolling_${roles.join("_")}`;
  const server = new pg.Client({ connectionString: postgres!.url });
  await server.connect();
  await server.query(`create database ${name}`);
  const url = new URL(postgres!.url);
  url.pathname = `/${name}`;
  const fleet = await startFleet(url.href, roles, environment);
  try {
    return await use(fleet);
  } finally {
    await fleet.close();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  }
}

async function rollAndKill(): Promise<boolean> {
  const telegram = await startTelegramServer();
  try {
    return await onFleet(["web", "web", "worker", "worker"], { TELEGRAM_API_ROOT: telegram.root }, async (fleet) => {
      const load = await beginLoad(fleet, telegram, { writers: 8, messagesPerSecond: 10 });
      for (let round = 1; round <= ROUNDS; round++) {
        for (const member of fleet.members) {
          const told = performance.now();
          const { code } = await member.end("SIGTERM");
          const ended = performance.now();
          await member.start();
          const seconds = (ms: number) => (ms / 1000).toFixed(1);
          say(
            `${member.role}: ended with ${code} in ${seconds(ended - told)} s, there again after ${seconds(performance.now() - told)} s`,
          );
          await pause(2000);
        }
      }
      const ledger = await load.settle(SETTLED_MS);
      say(`\n${ROUNDS} rolling restarts of 2 web and 2 worker processes under load:`);
      tell(ledger);
      // Whichever holds the lease when it is killed: of two workers, one after the other, one does.
      for (const member of fleet.members.filter(({ role }) => role === "worker")) {
        await member.end("SIGKILL");
        say(
          `A worker is killed: the next message is answered after ${((await load.ask(SETTLED_MS)) / 1000).toFixed(1)} s.`,
        );
        await member.start();
        // What the next one has on its way when it is killed nobody could know of.
        await load.settle(SETTLED_MS);
      }
      const after = await load.settle(SETTLED_MS);
      tell(after);
      return isClean(after);
    });
  } finally {
    await telegram.close();
  }
}

function isClean({ failed, notes, messages }: Ledger): boolean {
  return failed.length + notes.lost + notes.doubled + messages.lost + messages.doubled + messages.unknown === 0;
}

function tell({ requests, retried, failed, notes, messages, changesHeard }: Ledger): void {
  say("| | count | lost | doubled | |");
  say("|---|---|---|---|---|");
  say(`| requests | ${requests} | ${failed.length} | | ${retried} went to a second process |`);
  say(`| notes written with a key | ${notes.acknowledged} | ${notes.lost} | ${notes.doubled} | |`);
  say(
    `| messages answered | ${messages.said} | ${messages.lost} | ${messages.doubled} | ${messages.unknown} unknown |`,
  );
  say(`| changes told to a screen | ${changesHeard} | | | |`);
  for (const error of failed.slice(0, 5)) say(error);
}

/** Members who read their twin and a conversation, as fast as they are answered. */
async function compareThroughput(): Promise<void> {
  say(
    `\nAnswers in a second, ${AT_ONCE} at once, ${SECONDS} s each; ${cpus().length} cores with PostgreSQL and the callers:`,
  );
  say("| processes | calls/s | ratio | their CPU, ms a call |");
  say("|---|---|---|---|");
  let single = 0;
  for (const count of [1, 2, 3]) {
    const roles = Array.from({ length: count }, () => "all" as const);
    const { perSecond, cpuMs } = await onFleet(roles, {}, throughput);
    single ||= perSecond;
    say(`| ${count} | ${perSecond.toFixed(0)} | ${(perSecond / single).toFixed(2)} | ${cpuMs.toFixed(1)} |`);
  }
}

async function throughput(fleet: Fleet): Promise<{ perSecond: number; cpuMs: number }> {
  const { id } = await fleet.call("POST", "/api/digital-twins", TWIN);
  const { id: conversationId } = await fleet.call("POST", "/api/conversations", { twinId: id });
  let answered = 0;
  let over = false;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    while (!over) {
      await fleet.call("GET", `/api/digital-twins/${id}`);
      await fleet.call("GET", `/api/conversations/${conversationId}`);
      answered += 2;
    }
  });
  await pause(3000);
  const cpu = () => fleet.members.reduce((sum, member) => sum + cpuMsOf(member.pid()), 0);
  const [before, cpuBefore] = [answered, cpu()];
  await pause(SECONDS * 1000);
  const [counted, cpuMs] = [answered - before, cpu() - cpuBefore];
  over = true;
  await Promise.all(callers);
  return { perSecond: counted / SECONDS, cpuMs: cpuMs / counted };
}

/** Since the process has started, ms. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND;
}
