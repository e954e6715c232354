// An import as its owner meets it: the server that `npm start` runs, on PostgreSQL, takes a Telegram export of MESSAGES (1,000,000) over
// HTTP, stores, pairs, indexes and measures it, while others call it. Prints the seconds of each part, the highest memory of the
// server and how long `GET /healthz` took meanwhile. FILE names an export that is there already.

import { spawn } from "node:child_process";
import { Console } from "node:console";
import { once } from "node:events";
import { openAsBlob } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { TrainingState, Twin } from "#contract/twins.ts";
import { EXPORT_OWNER, writeTelegramExport } from "./material/telegram-export.ts";
import { postgresCpuSeconds } from "./postgres/postgres-cpu.ts";

// The scripts are plain JavaScript outside this project's types.
const script = (name: string) => import(new URL(`../scripts/${name}`, import.meta.url).href);
type Started = { url: string; stop(): Promise<void> };
const { startPostgres } = (await script("postgres.mjs")) as { startPostgres: () => Promise<Started | undefined> };
const { freePort } = (await script("free-port.mjs")) as { freePort: () => Promise<number> };
const { serverFlags, serverEnvironment } = (await script("server-flags.mjs")) as {
  serverFlags: string[];
  serverEnvironment: Record<string, string>;
};

const out = new Console(process.stdout);
const total = Number(process.env.MESSAGES ?? 1_000_000);
const folder = await mkdtemp(join(tmpdir(), "bench-import-server-"));
const postgres = await startPostgres();
if (postgres === undefined) throw new Error("no PostgreSQL");
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, "../server/main.ts")], {
  env: {
    PATH: process.env.PATH,
    ...serverEnvironment,
    HOST: "127.0.0.1",
    PORT: String(port),
    DEMO: "0",
    LOG_LEVEL: "silent",
    REQUESTS_PER_MINUTE: "0",
    DATABASE_URL: postgres.url,
    DATA_DIR: join(folder, "data"),
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  },
  stdio: ["ignore", "inherit", "inherit"],
});
try {
  await measure();
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure() {
  const file = process.env.FILE ?? join(folder, "result.json");
  if (process.env.FILE === undefined) await writeTelegramExport(file, total);
  for (const until = Date.now() + 60_000; !(await fetch(`${url}/readyz`).catch(() => null))?.ok; await pause(50)) {
    if (server.exitCode !== null || Date.now() > until) throw new Error("The server did not start");
  }
  const user = { email: "bench@example.test", password: "достаточно длинный пароль" };
  const { token } = await call<{ token: string }>("POST", "/api/auth/email/register", user);
  const about = {
    personality: "Спокойный и внимательный человек",
    communicationStyle: "Дружелюбно и по делу",
    knowledgeArea: "Жизнь",
  };
  const { id: twinId } = await call<Twin>(
    "POST",
    "/api/digital-twins",
    { name: "Пётр", description: "Проверка скорости импорта", ...about },
    token,
  );
  const idle = await memory("VmRSS");
  const health = watchHealth();
  const parts: { part: string; seconds: number; "memory so far, MB": number }[] = [];
  const cpuBefore = await postgresCpuSeconds(postgres!.url);
  const started = performance.now();
  let last = started;
  const lap = async (part: string) => {
    const seconds = Math.round((performance.now() - last) / 100) / 10;
    parts.push({ part, seconds, "memory so far, MB": await memory("VmHWM") });
    last = performance.now();
  };
  const form = new FormData();
  form.append("digitalTwinId", twinId);
  form.append("file", await openAsBlob(file), "result.json");
  const answer = await fetch(`${url}/api/imports`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { id } = (await answer.json()) as ImportState;
  await lap("received");
  const importState = () => call<ImportState>("GET", `/api/imports/${id}`, undefined, token);
  await until(async () => (await importState()).status === "preview");
  await lap("read for the preview");
  await call("POST", `/api/imports/${id}/start`, { ownerId: EXPORT_OWNER, consent: true }, token);
  await until(async () => (await importState()).status === "done");
  await lap("stored and paired");
  await until(async () => {
    const training = await call<TrainingState>("GET", `/api/digital-twins/${twinId}/training`, undefined, token);
    return training.status === "ready" && !training.running;
  });
  await lap("indexed and measured, the rest");
  const found = await call<unknown[]>("GET", `/api/digital-twins/${twinId}/search?q=lunch`, undefined, token);
  if (found.length === 0) throw new Error("nothing is found");
  const whole = (performance.now() - started) / 1000;
  const work = whole - parts[0]!.seconds;
  const waits = health.stop();
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))]!.toFixed(0);
  out.table(parts);
  out.log(`${total} messages, ${Math.round(total / work)}/s from the whole file to found (${work.toFixed(1)} s)`);
  out.log(`memory of the server: ${idle} MB idle, ${await memory("VmHWM")} MB at its highest`);
  out.log(`healthz meanwhile: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms (${waits.length} calls)`);
  out.log(
    `CPU: server ${await cpu()} s, PostgreSQL ${((await postgresCpuSeconds(postgres!.url)) - cpuBefore).toFixed(1)} s`,
  );
}

async function until(condition: () => Promise<boolean>) {
  while (!(await condition())) await pause(100);
}

async function call<Answer>(method: string, path: string, body?: object, token?: string): Promise<Answer> {
  const headers = {
    ...(body && { "content-type": "application/json" }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Asks ten times a second. */
function watchHealth() {
  const waits: number[] = [];
  let going = true;
  const done = (async () => {
    while (going) {
      const from = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      waits.push(performance.now() - from);
      await pause(100);
    }
  })();
  done.catch(() => {});
  const stop = () => {
    going = false;
    return waits.toSorted((a, b) => a - b);
  };
  return { stop };
}

/** MB. */
async function memory(name: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024);
}

async function cpu(): Promise<string> {
  const stat = await readFile(`/proc/${server.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / 100).toFixed(1);
}
