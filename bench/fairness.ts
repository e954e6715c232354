/**
 * What one user's work costs another: `npm run bench:fairness`. For each engine the median of the other's calls alone and beside
 * thirty searches at once, and p50 and p99 of his chat beside an import that begins anew whenever it ends (goal: p99 at most 1.5 times).
 * `BENCH_ENGINES` (pglite,postgres,processes: a web and a worker on PostgreSQL, as docs/deployment.md sets them up), `BENCH_SEARCHES` (30), `BENCH_SECONDS` (20) of each, `BENCH_IMPORT` (100,000) messages, `--only import` or `searches`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type Caller, callerOf } from "./soak/caller.ts";
import { type ImportPace, importForever } from "./soak/mixed-load.ts";
import { startServed, startWebAndWorker } from "./soak/served.ts";

type Engine = "pglite" | "postgres" | "processes";
const ENGINES = (process.env.BENCH_ENGINES ?? "pglite,postgres,processes").split(",") as Engine[];
const SEARCHES = Number(process.env.BENCH_SEARCHES ?? 30);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const MESSAGES = Number(process.env.BENCH_IMPORT ?? 100_000);
const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
const WORDS = "доставка возврат оплата гарантия чек магазин покупатель склад товар день рубль курьер".split(" ");
const say = (line: string) => process.stdout.write(`${line}\n`);

if (only !== "import") {
  say("| engine | the other's call | alone, ms | beside 30 searches, ms | ratio | searches/s | refused |");
  say("|---|---|---|---|---|---|---|");
  await onBoth((engine, url) => measure(engine, url));
}
if (only !== "searches") {
  say(
    "| engine | chat | alone p50 / p99, ms | beside an import | ratio p50 / p99 | imported/s | imports begun | load |",
  );
  say("|---|---|---|---|---|---|---|---|");
  await onBoth(measureImport);
}

async function onBoth(work: (engine: string, url: string, folder: string) => Promise<void>): Promise<void> {
  for (const engine of ENGINES) {
    const folder = await mkdtemp(join(tmpdir(), "dt-fairness-"));
    const server = await start(engine, folder);
    try {
      await work(engine, server.url, folder);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function start(engine: Engine, folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (engine !== "processes") return startServed(engine, folder, { DEMO: "0" });
  const { web, stop } = await startWebAndWorker(folder, { DEMO: "0" });
  return { url: web.url, stop };
}

async function measureImport(engine: string, url: string, folder: string): Promise<void> {
  const [greedy, other] = [await signUp(url), await signUp(url)];
  const ask = () =>
    other.call.done("POST", "/api/ai-generate", {
      twinId: other.twinId,
      message: "Сколько стоит доставка и гарантия?",
    });
  await timesOf(ask, 3);
  const alone = await timesOf(ask, SECONDS);
  let over = false;
  let begun = 0;
  const pace: ImportPace = { messages: 0, seconds: 0 };
  const importing = (async () => {
    while (!over) {
      begun++;
      await importForever(greedy, MESSAGES, folder, () => over, pace).catch(() => pause(500));
    }
  })();
  await pause(2000);
  const beside = await timesOf(ask, SECONDS);
  over = true;
  await importing;
  const [a, b] = [alone, beside].map((times) => [at(times, 0.5), at(times, 0.99)] as const) as [Pair, Pair];
  const shown = ([p50, p99]: Pair) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
  const imported = (pace.messages / pace.seconds).toFixed(0);
  const ratio = `${(b[0] / a[0]).toFixed(2)} / ${(b[1] / a[1]).toFixed(2)}`;
  say(
    `| ${engine} | ${beside.length} calls | ${shown(a)} | ${shown(b)} | ${ratio} | ${imported} | ${begun} | ${loadavg()[0]!.toFixed(1)} |`,
  );
}

type Pair = readonly [p50: number, p99: number];

function at(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

async function measure(engine: string, url: string) {
  const [greedy, other] = [await signUp(url), await signUp(url)];
  for (const [name, path] of [
    ["search", `/api/digital-twins/${other.twinId}/search?q=${encodeURIComponent("доставка")}`],
    ["list", "/api/digital-twins"],
  ] as const) {
    const alone = await medianOf(other.call, path);
    let over = false;
    let done = 0;
    let refused = 0;
    const searches = Array.from({ length: SEARCHES }, async (_, place) => {
      for (let round = 0; !over; round++) {
        const words = [0, 1, 2].map((at) => WORDS[(place + round * 5 + at * 3) % WORDS.length]);
        const q = encodeURIComponent(words.join(" "));
        const { status } = await greedy.call.answer(
          "GET",
          `/api/digital-twins/${greedy.twinId}/search?q=${q}`,
          undefined,
          {
            also: [429],
          },
        );
        if (status === 429) refused++;
        else done++;
      }
    });
    await pause(1000);
    done = 0;
    const beside = await medianOf(other.call, path);
    const perSecond = done / SECONDS;
    over = true;
    await Promise.all(searches);
    say(
      `| ${engine} | ${name} | ${alone.toFixed(1)} | ${beside.toFixed(1)} | ${(beside / alone).toFixed(1)} | ${perSecond.toFixed(0)} | ${refused} |`,
    );
  }
}

async function signUp(url: string): Promise<{ call: Caller; twinId: string }> {
  const anonymous = callerOf(url, () => {});
  const email = `${crypto.randomUUID()}@example.test`;
  const { token } = await anonymous.json("POST", "/api/auth/email/register", { email, password: "достаточно длинный" });
  const call = callerOf(url, () => {}, token);
  const { id: twinId } = await call.json("POST", "/api/digital-twins", TWIN);
  for (let document = 0; document < 5; document++) {
    const sentences = Array.from({ length: 600 }, (_, at) => {
      const words = [0, 1, 2, 3, 4, 5].map((place) => WORDS[(at * 7 + place * 5 + document) % WORDS.length]);
      return `${words.join(" ")} ${at * document}.`;
    });
    await call.done("POST", "/api/knowledge/upload", {
      digitalTwinId: twinId,
      name: `Документ ${document}`,
      type: "faq",
      content: sentences.join("\n\n"),
    });
  }
  const training = async () => (await call.json("GET", `/api/digital-twins/${twinId}/training`)) as { status: string };
  while ((await training()).status !== "ready") await pause(500);
  await pause(3000);
  return { call, twinId };
}

async function medianOf(call: Caller, path: string): Promise<number> {
  return at(await timesOf(() => call.done("GET", path), SECONDS), 0.5);
}

/** A call at a time, with a rest between: how a person asks. @returns ms, ascending */
async function timesOf(work: () => Promise<void>, seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await pause(50)) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}
