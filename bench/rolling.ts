/**
 * Several processes on one PostgreSQL behind a balancer: `npm run bench:rolling`. Prints the ledger of a rolling restart, of killing a web and
 * a worker and of restarting PostgreSQL, each under load; how long a killed worker's channel is left alone; and what one, two and three
 * processes answer in a second. BENCH_ROUNDS (3) of each, BENCH_SECONDS (15) for each count of processes. Ends with 1 when anything was
 * lost or came twice, or a request failed that nothing had cut off. `-- --only ledger` or `--only throughput` does half of it.
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type Fleet, type Member, type MemberRole, startFleet } from "#server/test/processes/fleet.ts";
import { beginLoad, type Ledger, type Load } from "#server/test/processes/ledger.ts";
import { type OwnPostgres, startOwnPostgres } from "#server/test/processes/own-postgres.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const AT_ONCE = 24;
const SETTLED_MS = 120_000;
const CLOCK_TICKS_PER_SECOND = 100;
const say = (line = "") => process.stdout.write(`${line}\n`);
const sayRow = (cells: readonly unknown[]) => say(`| ${cells.join(" | ")} |`);

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
const seconds = (ms: number) => (ms / 1000).toFixed(1);

const postgres: OwnPostgres = await startOwnPostgres();
let clean = true;
try {
  if (only !== "throughput") clean = await restartAndKill();
  if (only !== "ledger") await compareThroughput();
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
  await onServer(`create database ${name}`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  const fleet = await startFleet(url.href, roles, environment);
  try {
    return await use(fleet);
  } finally {
    await fleet.close();
    await onServer(`drop database ${name} with (force)`);
  }
}

/** On a connection of its own, which outlives no restart of PostgreSQL. */
async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function restartAndKill(): Promise<boolean> {
  let well = true;
  for (const [title, columns, act] of [
    [
      `${ROUNDS} rolling restarts of 2 web and 2 worker processes`,
      ["process", "ended with", "after, s", "there again after, s"],
      roll,
    ],
    [`${ROUNDS} times a web and a worker are killed`, ["round", "the next message is answered after, s"], kill],
    [
      `${ROUNDS} restarts of PostgreSQL`,
      ["round", "all are ready after, s", "the next message is answered, s later"],
      restartPostgres,
    ],
  ] as const) {
    const telegram = await startTelegramServer();
    try {
      await onFleet(["web", "web", "worker", "worker"], { TELEGRAM_API_ROOT: telegram.root }, async (fleet) => {
        const load = await beginLoad(fleet, telegram, { writers: 8, messagesPerSecond: 10 });
        say(`\n${title}, under load:\n`);
        sayRow(columns);
        sayRow(columns.map(() => "---"));
        for (let round = 0; round < ROUNDS; round++) await act({ fleet, load, telegram, round });
        const ledger = await load.settle(SETTLED_MS);
        say();
        tell(ledger);
        well &&= isClean(ledger);
      });
    } finally {
      await telegram.close();
    }
  }
  return well;
}

interface Round {
  fleet: Fleet;
  load: Load;
  telegram: TelegramServer;
  /** From 0. */
  round: number;
}

async function roll({ fleet }: Round): Promise<void> {
  for (const member of fleet.members) {
    const told = performance.now();
    const { code } = await member.end("SIGTERM");
    const ended = performance.now();
    await member.start();
    sayRow([member.role, code, seconds(ended - told), seconds(performance.now() - told)]);
    await pause(2000);
  }
}

async function kill({ fleet, load, telegram, round }: Round): Promise<void> {
  const ofRole = (role: MemberRole): Member => fleet.members.filter((member) => member.role === role)[round % 2]!;
  const [web, worker] = [ofRole("web"), ofRole("worker")];
  // What is being sent when its process is killed.
  telegram.script({ kind: "hang" }, { kind: "slow", ms: 2000 }, { kind: "hang" });
  await pause(1000);
  await load.outage(() => Promise.all([web.end("SIGKILL"), worker.end("SIGKILL")]));
  sayRow([round + 1, seconds(await load.ask(SETTLED_MS))]);
  await Promise.all([web.start(), worker.start()]);
  await pause(5000);
}

async function restartPostgres({ fleet, load, round }: Round): Promise<void> {
  const began = performance.now();
  await load.outage(async () => {
    await postgres.restart();
    const isReady = async ({ url }: Member) => (await fetch(`${url()}/readyz`).catch(() => null))?.ok === true;
    while (!(await Promise.all(fleet.members.map(isReady))).every(Boolean)) await pause(100);
  });
  const ready = seconds(performance.now() - began);
  sayRow([round + 1, ready, seconds(await load.ask(SETTLED_MS))]);
  await pause(5000);
}

function isClean({ failed, notes, messages }: Ledger): boolean {
  const { lost, doubled, unknown, cutOff, listed } = messages;
  return failed.length + notes.lost + notes.doubled + lost + doubled + unknown === 0 && listed === cutOff;
}

function tell({ requests, retried, failed, cutOff, notes, messages, changesHeard }: Ledger): void {
  say("| | count | lost | doubled | |");
  say("|---|---|---|---|---|");
  say(
    `| requests | ${requests} | ${failed.length} | | ${retried} went to a second process; ${cutOff} were cut off, and fine when asked again |`,
  );
  say(`| notes written with a key | ${notes.acknowledged} | ${notes.lost} | ${notes.doubled} | |`);
  say(
    `| messages answered | ${messages.said} | ${messages.lost} | ${messages.doubled} | of ${messages.cutOff} that were cut off nobody knows, ${messages.listed} are listed; of ${messages.unknown} others |`,
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
