/**
 * 1,000 questions to a twin with 100,000 messages and 1,000 chunks on PostgreSQL, with the embedded engine and with a
 * zero-latency local model: `npm run bench:reply`. Prints p50 and p99 at 1, 8 and 32 at once, CPU ms per reply (the
 * server process alone) and how much of it was the kernel's, page faults, memory. Beside every row stands what the machine did at that
 * time: the floor (GET /api/auth/verify, one query behind the same server, as many at once), and a fixed piece of work of this process.
 * Machines are compared by floors, never by milliseconds.
 * BENCH_MESSAGES and BENCH_QUESTIONS make it smaller; BENCH_WARMING replies (1,000) go before the first that is measured, else
 * whichever row is first is dearer by half: its code is not compiled yet and its heap still grows; BENCH_DATA
 * names the folder of the public sets, BENCH_TEXT=invented takes invented words in their place (the worst case for ranking);
 * BENCH_PROFILE names a folder for CPU profiles of the server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { materialOf } from "./material/reply-material.ts";

type StartPostgres = () => Promise<{ url: string; version: string; stop(): Promise<void> } | undefined>;
// The scripts are plain JavaScript outside this project's types.
const scripts = new URL("../scripts/postgres.mjs", import.meta.url).href;
const { startPostgres } = (await import(scripts)) as { startPostgres: StartPostgres };
const { serverFlags } = (await import(new URL("server-flags.mjs", scripts).href)) as { serverFlags: string[] };
const { freePort } = (await import(new URL("free-port.mjs", scripts).href)) as { freePort: () => Promise<number> };

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 100_000);
const QUESTIONS = Number(process.env.BENCH_QUESTIONS ?? 1000);
const CHUNKS = 1000;
const FLOORS = QUESTIONS / 2;
const CLOCK_TICKS_PER_SECOND = 100;

const WARMING = Number(process.env.BENCH_WARMING ?? 1000);
const material = materialOf({ chunks: CHUNKS, messages: MESSAGES, questions: WARMING + 4 * QUESTIONS });
/** Every run of one server has questions of its own: no answer comes from what the run before has left in memory. */
let asked = 0;
const say = (line = "") => process.stdout.write(`${line}\n`);

interface Server {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

const postgres = await startPostgres();
if (postgres === undefined) {
  say("Пропущено: PostgreSQL не найден.");
  process.exit(0);
}
const model = await startOpenAiServer();
const dataDir = await mkdtemp(join(tmpdir(), "dt-bench-"));
const base = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
try {
  let server = await startServer(base);
  const session = await register(server.url);
  const twinId = await teach(server.url, session);
  await server.stop();
  await settle(postgres.url);

  const rows: string[] = [];
  for (const [name, environment] of [
    ["embedded", {}],
    ["model", { LLM_BASE_URL: model.baseUrl, LLM_MODEL: "test" }],
  ] as const) {
    server = await startServer({ ...base, ...environment });
    asked = 0;
    const idle = memoryOf(server.process);
    await measure(server, session, twinId, 8, WARMING);
    for (const concurrency of [1, 8, 32]) {
      const before = await measure(server, session, null, concurrency, FLOORS);
      const result = await measure(server, session, twinId, concurrency, QUESTIONS);
      const after = await measure(server, session, null, concurrency, FLOORS);
      const floorMs = (before.cpuMs + after.cpuMs) / 2;
      rows.push(
        `| ${[
          `${name}, ${concurrency} at once`,
          result.p50.toFixed(1),
          result.p99.toFixed(1),
          result.perSecond.toFixed(0),
          result.cpuMs.toFixed(2),
          result.systemMs.toFixed(2),
          `${floorMs.toFixed(2)} · ${((before.p50 + after.p50) / 2).toFixed(1)}`,
          (result.cpuMs / floorMs).toFixed(1),
          result.faults.toFixed(0),
          `${idle} → ${memoryOf(server.process)}`,
          fixedWorkMs().toFixed(0),
        ].join(" | ")} |`,
      );
    }
    await server.stop();
  }
  say(`\n${MESSAGES} messages, ${CHUNKS} chunks, ${QUESTIONS} questions each (${material.name}), ${postgres.version}`);
  say(
    "| reply | p50 ms | p99 ms | replies/s | CPU ms per reply | of these the kernel's | floor: CPU ms · p50 ms | floors | page faults per reply | MB idle → loaded | fixed work, ms |",
  );
  say("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
  for (const row of rows) say(row);
} finally {
  await model.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function startServer(environment: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const profile = process.env.BENCH_PROFILE;
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const main = join(import.meta.dirname, "../server/main.ts");
  // As `npm start` runs it: scripts/server-flags.mjs. What is compiled once is kept for the next start.
  const child = spawn(process.execPath, [...serverFlags, ...flags, main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MALLOC_MMAP_THRESHOLD_: "32768",
      HOST: "127.0.0.1",
      PORT: String(port),
      DEMO: "0",
      LOG_LEVEL: "silent",
      REQUESTS_PER_MINUTE: "0",
      // Thousands of questions are more than a day of a shop's.
      MODEL_DAILY_TOKENS: "1000000000000",
      ...environment,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 60_000; ; ) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) break;
    if (child.exitCode !== null || Date.now() > until) throw new Error("The server did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  };
  return { url, process: child, stop };
}

/** What the database would do automatically within a minute, during the measurement: clear up after the import and count its rows. */
async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("vacuum (analyze)");
  await client.query("checkpoint");
  await client.end();
}

async function register(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/email/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "bench@example.test", password: "достаточно длинный пароль" }),
  });
  return ((await answer.json()) as { token: string }).token;
}

/** A twin that read 1,000 chunks and a Telegram export, through the calls that a person uses. */
async function teach(url: string, token: string): Promise<string> {
  const started = performance.now();
  const call = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const get = async (path: string) =>
    (await (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json()) as Record<
      string,
      unknown
    >;

  const twin = await call("/api/digital-twins", {
    name: "Замер",
    description: "Двойник для замера скорости",
    personality: "Отвечает коротко и по делу, без украшений",
    communicationStyle: "Коротко и спокойно",
    knowledgeArea: "Замеры",
  });
  const id = String(twin.id);
  for (let document = 0; document < CHUNKS / 20; document++) {
    const sections = material.chunks
      .slice(document * 20, (document + 1) * 20)
      .map((text, section) => `## Раздел ${document}.${section}\n\n${text}`);
    await call("/api/knowledge/upload", {
      digitalTwinId: id,
      name: `Документ ${document}`,
      type: "faq",
      tags: [],
      content: sections.join("\n\n"),
      status: "processed",
    });
  }

  const form = new FormData();
  form.append("digitalTwinId", id);
  form.append("file", new Blob([telegramExport()]), "result.json");
  const upload = await call("/api/imports", form);
  const importPath = `/api/imports/${upload.id}`;
  await until(async () => (await get(importPath)).status === "preview");
  await call(`${importPath}/start`, { ownerId: "user1", consent: true });
  await until(async () => (await get(importPath)).status === "done");
  await until(async () => {
    const state = await get(`/api/digital-twins/${id}/training`);
    return state.status === "ready" && state.running === false;
  });
  // Else it is measured beside the replies that are.
  await until(async () => {
    const { measure, failedAt } = await get(`/api/digital-twins/${id}/quality`);
    return measure !== null || (failedAt ?? null) !== null;
  });
  const state = await get(`/api/digital-twins/${id}/training`);
  say(
    `Taught in ${((performance.now() - started) / 1000).toFixed(1)} s: ${state.chunks} chunks, ${state.messages} messages, ${state.replyExamples} reply examples`,
  );
  return id;
}

function telegramExport(): string {
  const people = 40;
  const lists = Array.from({ length: people }, () => [] as unknown[]);
  let time = 1_700_000_000;
  for (let i = 0; i < MESSAGES; i++) {
    const person = Math.floor(i / 8) % people;
    const mine = i % 2 === 1;
    time += i % 8 === 0 ? 30_000 : 150;
    lists[person]!.push({
      id: i + 1,
      type: "message",
      date: new Date(time * 1000).toISOString().slice(0, 19),
      date_unixtime: String(time),
      from: mine ? "Я" : `Человек ${person}`,
      from_id: mine ? "user1" : `user${person + 2}`,
      text: material.messages[i],
      text_entities: [],
    });
  }
  return JSON.stringify({
    personal_information: { user_id: 1 },
    chats: {
      list: lists.map((messages, person) => ({
        name: `Человек ${person}`,
        type: "personal_chat",
        id: person + 2,
        messages,
      })),
    },
  });
}

/** @param twinId null asks for the session alone: the floor */
async function measure(server: Server, token: string, twinId: string | null, concurrency: number, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const questions = material.questions.slice(asked, asked + count);
  if (twinId !== null) asked += count;
  const times: number[] = [];
  const before = usageOf(server.process);
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) {
        const message = questions[next++];
        const sent = performance.now();
        await send(server.url, agent, token, twinId === null ? null : { twinId, message });
        times.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const after = usageOf(server.process);
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  const each = (key: keyof Usage) => (after[key] - before[key]) / count;
  return {
    ...{ p50: at(0.5), p99: at(0.99), perSecond: count / seconds },
    ...{ cpuMs: each("cpuMs"), systemMs: each("systemMs"), faults: each("faults") },
  };
}

function send(url: string, agent: Agent, token: string, body: unknown): Promise<void> {
  const path = body === null ? "/api/auth/verify" : "/api/ai-generate";
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url + path,
      {
        agent,
        method: body === null ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === null ? {} : { "content-type": "application/json" }),
        },
      },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${path} answered ${answer.statusCode}`)),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body === null ? undefined : JSON.stringify(body));
  });
}

interface Usage {
  cpuMs: number;
  systemMs: number;
  faults: number;
}

/** Processor time of the process, all threads, and its page faults (proc(5), fields 10, 12, 14 and 15). */
function usageOf(child: ChildProcess): Usage {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  const [minor, major, user, system] = [7, 9, 11, 12].map((at) => Number(fields[at])) as [
    number,
    number,
    number,
    number,
  ];
  const msOf = (ticks: number) => (ticks * 1000) / CLOCK_TICKS_PER_SECOND;
  return { cpuMs: msOf(user + system), systemMs: msOf(system), faults: minor + major };
}

/** CPU milliseconds of this thread for the same work on every machine: what its processor is worth just now. */
function fixedWorkMs(): number {
  const text = "Сколько стоит доставка, и когда она будет? ".repeat(2000);
  const { user, system } = process.cpuUsage();
  let letters = 0;
  for (let round = 0; round < 20; round++) {
    const counts = new Map<string, number>();
    for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + round);
    letters += counts.size;
  }
  if (letters === 0) throw new Error("The work was not done");
  const used = process.cpuUsage({ user, system });
  return (used.user + used.system) / 1000;
}

/** Resident memory in MB. */
function memoryOf(child: ChildProcess): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 300_000; !(await condition()); ) {
    if (Date.now() > deadline) throw new Error("It took more than five minutes");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
