/**
 * What a model on this machine costs everybody else: `npm run bench:model-load -- --model FILE`. A server of its own (embedded database)
 * answers one user's calls while another's chat keeps its model writing, and while it does not; p95 of both, in turns, for machines are seldom quiet. The
 * goal is within 10 %. Before that the model alone: its loading, first token, tokens a second and memory. `BENCH_SECONDS` (15) of each turn,
 * `BENCH_ROUNDS` (3).
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ModelHost } from "../server/models/host/model-host.ts";
import { checkModelFiles } from "../server/models/local/local-models.ts";
import { createLog } from "../server/platform/log.ts";
import { type Caller, callerOf } from "./soak/caller.ts";
import { startServed } from "./soak/served.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const say = (line = "") => process.stdout.write(`${line}\n`);

const { model } = parseArgs({ options: { model: { type: "string" } } }).values;
if (model === undefined) {
  say("npm run bench:model-load -- --model FILE.gguf");
  process.exit(1);
}
const path = resolve(model);
say(`${basename(path)} · cores ${availableParallelism()} · load ${loadavg()[0]!.toFixed(1)} before the start\n`);
await measureAlone();
await measureBeside();
say(`\nLoad ${loadavg()[0]!.toFixed(1)} at the end: what else runs here slows all of it.`);

/** The model's process alone, asked with a prompt of the usual length. */
async function measureAlone(): Promise<void> {
  const files = { embedder: null, reranker: null, threads: null, contextTokens: 4096 };
  const { memoryBytes, ...models } = await checkModelFiles({
    ...{ ...files, generator: path, timeoutSeconds: 600, embeddingTimeoutMs: 300, rerankerTimeoutMs: 300 },
  });
  const limits = { firstTokenMs: 300_000, nextTokenMs: 60_000, totalMs: 600_000 };
  const load = { ...models, threads: null };
  const host = new ModelHost({ load, memoryBytes, log: createLog("silent"), limits });
  const asking = { asker: { organizationId: "o", userId: "u" }, signal: new AbortController().signal };
  const began = performance.now();
  const { threads } = await host.facts(asking.signal);
  const loaded = performance.now();
  const chunk = "Доставка по Москве стоит 350 рублей, курьер приезжает за два дня. ".repeat(20);
  const turns = [
    { role: "system" as const, content: `Отвечай по данным.\n${chunk}` },
    { role: "user" as const, content: "Расскажите подробно о доставке." },
  ];
  const generation = host.generate(
    { turns, ...{ maxTokens: 100, temperature: 0, seed: 1, stop: [], grammar: null } },
    asking,
  );
  let first = 0;
  for (;;) {
    const next = await generation.next();
    first ||= performance.now();
    if (!next.done) continue;
    const { input, output } = next.value;
    const seconds = (performance.now() - first) / 1000;
    say("| threads | load, s | prompt, tokens | first token, s | tokens/s | memory, MB | limit, MB |");
    say("|---|---|---|---|---|---|---|");
    say(
      `| ${threads} | ${((loaded - began) / 1000).toFixed(1)} | ${input} | ${((first - loaded) / 1000).toFixed(1)} | ${(output / seconds).toFixed(1)} | ${residentMegabytes(host.pid!)} | ${Math.round(memoryBytes / 1024 ** 2)} |\n`,
    );
    break;
  }
  await host.end();
}

/** Linux alone tells. */
function residentMegabytes(pid: number): string {
  try {
    return /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]?.replace(/\d{3}$/, "") ?? "?";
  } catch {
    return "?";
  }
}

async function measureBeside(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dt-model-load-"));
  const server = await startServed("pglite", folder, { DEMO: "0", MODEL_PATH: path, LLM_TIMEOUT_SECONDS: "600" });
  try {
    const [writer, other] = [await signUp(server.url), await signUp(server.url)];
    const calls = {
      list: "/api/digital-twins",
      search: `/api/digital-twins/${other.twinId}/search?q=${encodeURIComponent("доставка")}`,
    };
    const times = new Map<string, number[]>();
    let answered = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const writing of [false, true]) {
        const over = new AbortController();
        const chat = writing ? keepWriting(server.url, writer, over.signal) : Promise.resolve(0);
        await pause(2000);
        const until = Date.now() + SECONDS * 1000;
        while (Date.now() < until) {
          for (const [name, address] of Object.entries(calls)) {
            const began = performance.now();
            await other.call.done("GET", address);
            const key = `${name} ${writing}`;
            times.set(key, [...(times.get(key) ?? []), performance.now() - began]);
          }
          await pause(40);
        }
        over.abort();
        answered += await chat;
      }
    }
    say("| call | p95 without, ms | p95 while it writes, ms | ratio | p50 without | p50 while it writes |");
    say("|---|---|---|---|---|---|");
    for (const name of Object.keys(calls)) {
      const [without, beside] = [times.get(`${name} false`)!, times.get(`${name} true`)!];
      const [calm, busy] = [at(without, 0.95), at(beside, 0.95)];
      say(
        `| ${name} | ${calm.toFixed(1)} | ${busy.toFixed(1)} | ${(busy / calm).toFixed(2)} | ${at(without, 0.5).toFixed(1)} | ${at(beside, 0.5).toFixed(1)} |`,
      );
    }
    say(`\nReplies that ended meanwhile: ${answered}.`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}

interface Asker {
  call: Caller;
  token: string;
  twinId: string;
}

/** Asks again and again until it is over, and has the last reply written to its end; gives the number of replies. */
async function keepWriting(url: string, { token, twinId }: Asker, signal: AbortSignal): Promise<number> {
  let replies = 0;
  for (let round = 0; !signal.aborted; round++) {
    const body = JSON.stringify({ twinId, message: `Расскажите подробно о доставке, вопрос ${round}` });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/ai-generate`, { method: "POST", headers, body });
    if (answer.ok && (await answer.text()) !== "") replies++;
  }
  return replies;
}

async function signUp(url: string): Promise<Asker> {
  const anonymous = callerOf(url, () => {});
  const email = `${crypto.randomUUID()}@example.test`;
  const password = "достаточно длинный";
  const { token } = await anonymous.json("POST", "/api/auth/email/register", { email, password });
  const call = callerOf(url, () => {}, token);
  const { id: twinId } = await call.json("POST", "/api/digital-twins", {
    ...{ name: "Анна", description: "Отвечает покупателям магазина", personality: "Внимательная, спокойная" },
    ...{ communicationStyle: "Коротко и по делу", knowledgeArea: "Доставка и возврат" },
  });
  const sentences = Array.from({ length: 300 }, (_, one) => `Доставка в район ${one} стоит ${300 + one} рублей.`);
  const content = sentences.join("\n\n");
  await call.done("POST", "/api/knowledge/upload", { digitalTwinId: twinId, name: "Доставка", type: "faq", content });
  const training = async () => (await call.json("GET", `/api/digital-twins/${twinId}/training`)) as { status: string };
  while ((await training()).status !== "ready") await pause(500);
  await pause(2000);
  return { call, token, twinId };
}
