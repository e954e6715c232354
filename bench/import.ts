// A Telegram export from the file to a trained twin: parsing against JSON.parse of the whole, then stored, deduplicated,
// paired and indexed on PostgreSQL, then the same file again. Each measurement is a process of its own: its memory is its peak.
// MESSAGES=1000000 · ROUNDS=3 (of parsing; the best counts).

import { spawn } from "node:child_process";
import { Console } from "node:console";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { telegramJson } from "#server/imports/formats/telegram-json.ts";
import type { ImportedTwin } from "./import/import-run.ts";
import { writeTelegramExport } from "./material/telegram-export.ts";
import { postgresCpuSeconds } from "./postgres/postgres-cpu.ts";

type StartPostgres = () => Promise<{ url: string; stop(): Promise<void> } | undefined>;
// The scripts are plain JavaScript outside this project's types.
const { startPostgres } = (await import(new URL("../scripts/postgres.mjs", import.meta.url).href)) as {
  startPostgres: StartPostgres;
};
const { serverFlags } = (await import(new URL("../scripts/server-flags.mjs", import.meta.url).href)) as {
  serverFlags: string[];
};

const out = new Console(process.stdout);
const [task, ...values] = process.argv.slice(2);
if (task === "parse") await report(() => parse(values[0]!));
else if (task === "json-parse") await report(() => jsonParse(values[0]!));
else if (task === "store") await reportImport(values[0]!, values[1]!, values[2]);
else if (task === "train") await reportTraining(values[0]!, values[1]!);
else await measureAll();

async function measureAll() {
  const total = Number(process.env.MESSAGES ?? 1_000_000);
  const rounds = Number(process.env.ROUNDS ?? 3);
  const folder = await mkdtemp(join(tmpdir(), "bench-import-"));
  try {
    const file = join(folder, "result.json");
    const bytes = await writeTelegramExport(file, total);
    out.log(`${total} messages, ${(bytes / 1e6).toFixed(0)} MB`);
    const [ours, whole] = [[], []] as [Measured[], Measured[]];
    // In turns: what else the machine does then slows both alike.
    for (let round = 0; round < rounds; round++) {
      ours.push(await inProcess("parse", file));
      whole.push(await inProcess("json-parse", file));
    }
    out.table({ "message by message": row(ours, total), "JSON.parse of the whole": row(whole, total) });
    const ratio = Math.min(...whole.map((each) => each.seconds)) / Math.min(...ours.map((each) => each.seconds));
    out.log(`${ratio.toFixed(2)} × JSON.parse`);
    await measureStoring(file, total);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureStoring(file: string, total: number) {
  const postgres = await startPostgres();
  if (postgres === undefined) return out.log("no PostgreSQL: storing is not measured");
  try {
    const first = await onDatabase<Imported>("store", postgres.url, file);
    const twin = JSON.stringify(first.twin);
    const trained = await onDatabase<Measured>("train", postgres.url, twin);
    const again = await onDatabase<Imported>("store", postgres.url, file, twin);
    const line = (run: Measured & OnDatabase) => ({
      seconds: run.seconds.toFixed(1),
      "messages/s": Math.round(total / run.seconds),
      "CPU s": run.cpuSeconds.toFixed(1),
      "of PostgreSQL": run.postgresSeconds.toFixed(1),
      "memory, MB": Math.round(run.memory),
    });
    const all = {
      ...first,
      seconds: first.seconds + trained.seconds,
      cpuSeconds: first.cpuSeconds + trained.cpuSeconds,
      postgresSeconds: first.postgresSeconds + trained.postgresSeconds,
    };
    out.table({
      "read, stored, deduplicated, paired": { ...line(first), added: first.added },
      "indexed, style measured": line(trained),
      both: line({ ...all, memory: Math.max(first.memory, trained.memory) }),
      "the same again": { ...line(again), added: again.added },
    });
  } finally {
    await postgres.stop();
  }
}

interface OnDatabase {
  /** PostgreSQL's CPU time, seconds. */
  postgresSeconds: number;
}

async function onDatabase<Result>(name: string, url: string, ...args: string[]): Promise<Result & OnDatabase> {
  const before = await postgresCpuSeconds(url);
  const result = await inProcess<Result>(name, url, ...args);
  return { ...result, postgresSeconds: (await postgresCpuSeconds(url)) - before };
}

interface Imported extends Measured {
  added: number;
  twin: ImportedTwin;
}

interface Measured {
  messages: number;
  seconds: number;
  /** CPU time, user and system together. */
  cpuSeconds: number;
  /** Peak memory, MB. */
  memory: number;
}

function row(runs: Measured[], total: number) {
  const best = runs.reduce((left, right) => (right.seconds < left.seconds ? right : left));
  return {
    "messages/s": Math.round(total / best.seconds),
    "CPU µs/message": ((best.cpuSeconds / total) * 1e6).toFixed(2),
    "memory, MB": Math.round(Math.max(...runs.map((each) => each.memory))),
  };
}

async function inProcess<Result = Measured>(name: string, ...args: string[]): Promise<Result> {
  const child = spawn(process.execPath, [...flagsOf(name), import.meta.filename, name, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { MALLOC_MMAP_THRESHOLD_: "32768", ...process.env },
  });
  let answer = "";
  child.stdout.on("data", (chunk) => {
    answer += chunk;
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return JSON.parse(answer);
}

async function report(work: () => Promise<number>, more: () => object = () => ({})) {
  const started = performance.now();
  const messages = await work();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const seconds = (performance.now() - started) / 1000;
  const measured = { messages, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
  out.log(JSON.stringify({ ...measured, ...more() }));
}

// Parsing alone must not carry the server's code: its memory is measured.
function server() {
  return import("./import/import-run.ts");
}

async function reportImport(databaseUrl: string, file: string, known?: string) {
  const { importInto, openImporter } = await server();
  const importer = await openImporter(databaseUrl, known === undefined ? null : JSON.parse(known));
  let added = 0;
  await report(
    async () => {
      const state = await importInto(importer, file);
      added = state.imported;
      return state.processed;
    },
    () => ({ added, twin: importer.twin }),
  );
  await importer.close();
}

async function reportTraining(databaseUrl: string, known: string) {
  const { openImporter, trainImported } = await server();
  const importer = await openImporter(databaseUrl, JSON.parse(known));
  await report(() => trainImported(importer));
  await importer.close();
}

async function parse(file: string): Promise<number> {
  let messages = 0;
  for await (const event of telegramJson.read(createReadStream(file, { highWaterMark: 256 * 1024 }))) {
    if (event.type === "message") messages++;
  }
  return messages;
}

async function jsonParse(file: string): Promise<number> {
  const { chats } = JSON.parse(await readFile(file, "utf8")) as { chats: { list: { messages: unknown[] }[] } };
  return chats.list.reduce((sum, chat) => sum + chat.messages.length, 0);
}

/** As `npm start` runs the server; the whole file's text and its objects need more memory than V8 allows by default. */
function flagsOf(name: string): string[] {
  if (name === "json-parse") return ["--max-old-space-size=6000"];
  return serverFlags;
}
