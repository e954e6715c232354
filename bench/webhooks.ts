/**
 * Deliveries of bots' webhooks to a server on PostgreSQL: `npm run bench:webhooks`. Prints events stored per second and the
 * acknowledgement's p50, p95 and p99 at 8 and 32 at once, the same at a steady 500 a second, for Telegram and at 32 for MAX and VK, and the
 * time from a message to its delivered reply (the wait for the end of the burst, 0.8 s, included). Beside each row stands the floor of the
 * machine at that moment (GET /api/auth/verify, as many at once, before and after): machines are compared by it. BENCH_EVENTS is the count of
 * each run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { maxMessage, maxToken, startMaxServer } from "#server/test/servers/max-server.ts";
import { startTelegramServer } from "#server/test/servers/telegram-server.ts";
import { startVkServer, vkKey } from "#server/test/servers/vk-server.ts";
import { TELEGRAM_LOGIN, telegramSignIn } from "#server/test/sign-in/telegram-sign-in.ts";

type StartPostgres = () => Promise<{ url: string; version: string; stop(): Promise<void> } | undefined>;
// The scripts are plain JavaScript outside this project's types.
const scripts = new URL("../scripts/postgres.mjs", import.meta.url).href;
const { startPostgres } = (await import(scripts)) as { startPostgres: StartPostgres };
const { serverFlags } = (await import(new URL("server-flags.mjs", scripts).href)) as { serverFlags: string[] };
const { freePort } = (await import(new URL("free-port.mjs", scripts).href)) as { freePort: () => Promise<number> };

const EVENTS = Number(process.env.BENCH_EVENTS ?? 2000);
const STEADY_PER_SECOND = 500;
const REPLIES = 20;
const CLOCK_TICKS_PER_SECOND = 100;
const TOKEN = "92:token-of-a-bot-0123456789abcdefghij";
const MAX_TOKEN = maxToken(92);
const say = (line = "") => process.stdout.write(`${line}\n`);

const postgres = await startPostgres();
if (postgres === undefined) {
  say("Пропущено: PostgreSQL не найден.");
  process.exit(0);
}
const [telegram, max, vk] = [await startTelegramServer(), await startMaxServer(), await startVkServer()];
const COMMUNITY = 93;
const dataDir = await mkdtemp(join(tmpdir(), "dt-bench-"));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const server = await startServer();
let person = 10_000;
try {
  await signIn();
  const bot = await connectTelegram();
  const post = (body: string) => timed(bot, body);
  const message = () => JSON.stringify(telegram.privateMessage(++person, "Привет!"));
  // Off: what is measured is the acknowledgement, not two thousand replies on the same two cores.
  await autonomy(bot, "off");
  await atOnce(8, 200, () => post(message()));
  const rows: string[] = [];
  const measure = async (name: string, concurrency: number, run: () => Promise<number[]>) => {
    const verified = () => atOnce(concurrency, EVENTS / 4, verify);
    const [first, firstCpu] = await withCpu(verified);
    const begun = performance.now();
    const [waits, cpu] = await withCpu(run);
    const ms = performance.now() - begun;
    const [last, lastCpu] = await withCpu(verified);
    const floors = [...first, ...last];
    rows.push(row(name, waits, ms, cpu, { waits: floors, cpu: firstCpu + lastCpu }));
  };
  for (const concurrency of [8, 32])
    await measure(`${concurrency} at once`, concurrency, () => atOnce(concurrency, EVENTS, () => post(message())));
  await measure(`${STEADY_PER_SECOND}/s, steady`, 32, () => steadily(() => post(message())));
  const inMax = await connectMax();
  await autonomy(inMax, "off");
  const toMax = () => timed(inMax, JSON.stringify(maxMessage(92, ++person, "Привет!")));
  await atOnce(32, 200, toMax);
  await measure("MAX, 32 at once", 32, () => atOnce(32, EVENTS, toMax));
  const community = await connectVk();
  await autonomy(community, "off");
  // VK's secret stands in the body.
  const toVk = () =>
    timed(community, JSON.stringify({ ...vk.say(COMMUNITY, ++person, "Привет!"), secret: community.secret }));
  await atOnce(32, 200, toVk);
  await measure("VK, 32 at once", 32, () => atOnce(32, EVENTS, toVk));
  await measure("Telegram again, 32 at once", 32, () => atOnce(32, EVENTS, () => post(message())));
  const handled = await drained();
  await autonomy(bot, "auto");
  const replies: number[] = [];
  for (let count = 0; count < REPLIES; count++) {
    const sent = telegram.sent.length;
    const asked = performance.now();
    await post(message());
    while (telegram.sent.length === sent) await pause(2);
    replies.push(performance.now() - asked);
  }
  say(`\n${EVENTS} events each, ${postgres.version}`);
  say("| deliveries | stored/s | acknowledged p50 ms | p95 | p99 | floor p50 ms | CPU ms each | floors |");
  say("|---|---|---|---|---|---|---|---|");
  for (const line of rows) say(line);
  say(`\n${handled.toFixed(0)} of the waiting messages were then taken into their conversations in a second.`);
  say(
    `Reply delivered after p50 ${at(replies, 0.5)} ms, p95 ${at(replies, 0.95)} ms (${REPLIES} messages, one at a time).`,
  );
} finally {
  await server.stop();
  await Promise.all([telegram.close(), max.close(), vk.close()]);
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Waits until every stored message is in its conversation; gives how many were in a second. */
async function drained(): Promise<number> {
  const database = new pg.Client({ connectionString: postgres!.url });
  await database.connect();
  const waiting = async () => {
    const { rows } = await database.query("select count(*)::int as open from inbox_events where status = 'pending'");
    return rows[0].open as number;
  };
  const [first, begun] = [await waiting(), performance.now()];
  while ((await waiting()) > 0) await pause(100);
  const perSecond = (first / (performance.now() - begun)) * 1000;
  await database.end();
  return perSecond;
}

interface Floor {
  waits: number[];
  cpu: number;
}

interface Floor {
  waits: number[];
  cpu: number;
}

function row(name: string, waits: number[], ms: number, cpuMs: number, floor: Floor): string {
  const perSecond = ((waits.length / ms) * 1000).toFixed(0);
  const cpu = cpuMs / waits.length;
  const floors = (cpu / (floor.cpu / floor.waits.length)).toFixed(1);
  const times = [0.5, 0.95, 0.99].map((share) => at(waits, share)).join(" | ");
  return `| ${name} | ${perSecond} | ${times} | ${at(floor.waits, 0.5)} | ${cpu.toFixed(1)} | ${floors} |`;
}

/** What `run` gives, and the CPU time that the server took meanwhile, ms. */
async function withCpu(run: () => Promise<number[]>): Promise<[number[], number]> {
  const before = cpuOf();
  const waits = await run();
  return [waits, cpuOf() - before];
}

/** CPU time of the server process since its start, ms. */
function cpuOf(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND;
}

function at(values: number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
}

async function atOnce(concurrency: number, count: number, send: () => Promise<number>): Promise<number[]> {
  const waits: number[] = [];
  let left = count;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) waits.push(await send());
    }),
  );
  return waits;
}

/** Each is sent at its time, regardless of the results of those before. */
async function steadily(send: () => Promise<number>): Promise<number[]> {
  const begun = performance.now();
  return Promise.all(
    Array.from({ length: EVENTS }, async (_, place) => {
      const due = begun + (place * 1000) / STEADY_PER_SECOND;
      await pause(Math.max(0, due - performance.now()));
      return send();
    }),
  );
}

function timed({ path, header, secret }: Connected, body: string): Promise<number> {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), [header]: secret };
  return answered("POST", path, headers, body);
}

/** The floor: a session looked up behind the same server. */
function verify(): Promise<number> {
  return answered("GET", "/api/auth/verify", { authorization: server.authorization });
}

/** Milliseconds until the 200. @throws Error for any other answer */
function answered(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body?: string,
): Promise<number> {
  const before = performance.now();
  return new Promise((resolve, reject) => {
    const call = httpRequest(`${server.url}${path}`, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - before);
        else reject(new Error(`Answered ${answer.statusCode}`));
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

async function startServer() {
  const port = await freePort();
  const child = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, "../server/main.ts")], {
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: String(port),
      DEMO: "0",
      LOG_LEVEL: "silent",
      REQUESTS_PER_MINUTE: "0",
      PUBLIC_URL: "https://twins.example",
      DATABASE_URL: postgres!.url,
      DATA_DIR: dataDir,
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      TELEGRAM_API_ROOT: telegram.root,
      MAX_API_URL: max.root,
      VK_API_URL: vk.root,
      ...TELEGRAM_LOGIN,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 60_000; ; ) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) break;
    if (child.exitCode !== null || Date.now() > until) throw new Error("The server did not start");
    await pause(50);
  }
  const stop = async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { url, pid: child.pid!, stop, authorization: "" };
}

async function call(method: string, path: string, body: object) {
  const headers = { "content-type": "application/json", authorization: server.authorization };
  const ask = () => fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
  let answer = await ask();
  // What a start still does may cross the first calls: the answer says to repeat them.
  if (answer.status === 409) answer = await ask();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

interface Connected {
  id: string;
  /** Where its platform delivers, and what it proves itself by. */
  path: string;
  header: string;
  secret: string;
}

function autonomy({ id }: Connected, level: string) {
  return call("PUT", `/api/integrations/${id}`, { autonomy: level });
}

async function signIn(): Promise<void> {
  const user = telegramSignIn({ first_name: "Анна", last_name: "К" });
  server.authorization = `Bearer ${(await call("POST", "/api/auth/telegram", user)).token}`;
}

/** A twin with a bot; gives its integration. */
async function connect(platform: string, apiKey: string): Promise<string> {
  const { id: digitalTwinId } = await call("POST", "/api/digital-twins", TWIN);
  return (await call("POST", "/api/integrations/create", { digitalTwinId, platform, apiKey })).id!;
}

async function connectTelegram(): Promise<Connected> {
  const id = await connect("telegram", TOKEN);
  while (!telegram.webhooks.has(TOKEN)) await pause(50);
  const { url, secret } = telegram.webhooks.get(TOKEN)!;
  return { id, path: new URL(url).pathname, header: "x-telegram-bot-api-secret-token", secret };
}

async function connectMax(): Promise<Connected> {
  const id = await connect("max", MAX_TOKEN);
  while (!max.subscriptions.get(MAX_TOKEN)?.size) await pause(50);
  const [url, { secret }] = [...max.subscriptions.get(MAX_TOKEN)!][0]!;
  return { id, path: new URL(url).pathname, header: "x-max-bot-api-secret", secret };
}

async function connectVk(): Promise<Connected> {
  vk.reach = async (url, body) => {
    const asked = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}${new URL(url).pathname}`, asked);
    return { status: answer.status, text: await answer.text() };
  };
  const id = await connect("vk", vkKey(COMMUNITY));
  while (vk.callbacks[0]?.status !== "ok") await pause(50);
  const { url, secret } = vk.callbacks[0];
  return { id, path: new URL(url).pathname, header: "x-vk", secret };
}
