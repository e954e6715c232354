// Parsing a Telegram export against JSON.parse of the whole. Each measurement is a process of its own: its memory is its peak.
// MESSAGES=1000000 · ROUNDS=3 (of parsing; the best counts).

import { spawn } from "node:child_process";
import { Console } from "node:console";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { telegramJson } from "#server/imports/formats/telegram-json.ts";
import { writeTelegramExport } from "./telegram-export.ts";

const out = new Console(process.stdout);
const [task, ...values] = process.argv.slice(2);
if (task === "parse") await report(() => parse(values[0]!));
else if (task === "json-parse") await report(() => jsonParse(values[0]!));
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
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  messages: number;
  seconds: number;
  /** Of user and system. */
  cpuSeconds: number;
  /** Highest, MB. */
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

async function inProcess(name: string, ...args: string[]): Promise<Measured> {
  const child = spawn(process.execPath, ["--max-old-space-size=6000", import.meta.filename, name, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let answer = "";
  child.stdout.on("data", (chunk) => {
    answer += chunk;
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return JSON.parse(answer);
}

async function report(work: () => Promise<number>) {
  const started = performance.now();
  const messages = await work();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const seconds = (performance.now() - started) / 1000;
  out.log(
    JSON.stringify({ messages, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 }),
  );
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
