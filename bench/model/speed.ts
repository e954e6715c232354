// How fast a model answers as the product asks it: talks with a shop's twin, which has documents, and with a private person's, which has none. What
// begins a talk is cold, for the prompt before was of another; what goes on in it is warm.
import { readFileSync } from "node:fs";
import { localGenerator } from "#server/answers/replies/local-generator.ts";
import { planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import type { Log } from "#server/platform/log.ts";
import { openHost, REPLY_MS } from "./asked-models.ts";
import type { Everyone } from "./everyone.ts";
import { type Timed, TimedHost } from "./timed-host.ts";

interface SpeedOptions {
  log: Log;
  threads: number | null;
  priority: number;
  /** See `TimedHost.tokenLimit`. */
  tokenLimit: number;
  /** Messages of each talk. */
  messages: number;
}

interface Speed {
  threads: number;
  loadMs: number;
  cold: Timed[];
  warm: Timed[];
  /** Tokens a second while it writes, and a second of the processor. */
  writing: number;
  writingOfCpu: number;
  /** Most that the process has had, MB; «?» where the system does not tell. */
  megabytes: string;
}

const calm = new AbortController().signal;

export async function speedOf(path: string, { talks, db }: Everyone, options: SpeedOptions): Promise<Speed> {
  const { log, tokenLimit } = options;
  const host = (await openHost(path, options, TimedHost)) as TimedHost;
  host.tokenLimit = tokenLimit;
  const begun = performance.now();
  const { threads } = await host.facts(calm);
  const loadMs = performance.now() - begun;
  const generator = localGenerator({ host, log, totalMs: REPLY_MS });
  const models = { db, generator, queryEmbedder: null, reranker: null, localModels: null, remoteGenerators: null };
  const [cold, warm]: Timed[][] = [[], []];
  for (const { twin, messages, audience, contact } of talks) {
    const history: { role: "user" | "assistant"; content: string }[] = [];
    for (const [at, message] of messages.slice(0, options.messages).entries()) {
      const before = host.timed.length;
      const reply = await planReplyAlone(models, twin.tenant, twin.twinId, {
        ...{ message, history: [...history], audience, seed: `${at}` },
        ...(audience.kind === "contact" ? { contact } : { learnt: [] }),
      });
      const said = await reply.whole(calm);
      history.push({ role: "user", content: message }, { role: "assistant", content: said });
      await host.ahead;
      const timed = host.timed.slice(before);
      // What is asked again after a fault has nearly the same prompt.
      if (timed[0] !== undefined) (at === 0 ? cold : warm)!.push(timed[0]);
    }
  }
  const megabytes = residentMegabytes(host.pid);
  await host.end();
  const wrote = host.timed.filter(({ output }) => output > 1);
  const tokens = wrote.reduce((sum, { output }) => sum + output - 1, 0);
  const seconds = wrote.reduce((sum, { writingMs }) => sum + writingMs, 0) / 1000;
  const cpuSeconds = wrote.reduce((sum, { writingCpuMs }) => sum + writingCpuMs, 0) / 1000;
  return {
    threads,
    loadMs,
    cold: cold!,
    warm: warm!,
    writing: tokens / seconds,
    writingOfCpu: tokens / cpuSeconds,
    megabytes,
  };
}

/** Linux alone tells. */
function residentMegabytes(pid: number | undefined): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024).toString();
  } catch {
    return "?";
  }
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

export const SPEED_HEAD = [
  "| model | threads | load, s | prompt, tokens | first token cold, s: p50 · p95 | warm: p50 · p95 | read anew warm, tokens | of the processor, s: cold · warm | tokens/s | a second of the processor | memory, MB |",
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
].join("\n");

export function speedRow(
  name: string,
  { threads, loadMs, cold, warm, writing, writingOfCpu, megabytes }: Speed,
): string {
  const first = (timed: readonly Timed[]) => {
    const seconds = timed.map(({ firstMs }) => firstMs / 1000);
    return `${at(seconds, 0.5).toFixed(1)} · ${at(seconds, 0.95).toFixed(1)}`;
  };
  const tokens = at(
    [...cold, ...warm].map(({ input }) => input),
    0.5,
  );
  const anew = at(
    warm.map(({ anew, input }) => anew * input),
    0.5,
  );
  const cells = [name, threads, (loadMs / 1000).toFixed(1), tokens, first(cold), first(warm), anew.toFixed(0)];
  const cpu = [cold, warm].map((timed) =>
    (
      at(
        timed.map(({ firstCpuMs }) => firstCpuMs),
        0.5,
      ) / 1000
    ).toFixed(1),
  );
  return `| ${[...cells, cpu.join(" · "), writing.toFixed(1), writingOfCpu.toFixed(1), megabytes].join(" | ")} |`;
}
