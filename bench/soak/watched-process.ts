/** What one process of the server takes while it serves: memory, open descriptors, and how late its event loop is. */
import { readdir, readFile } from "node:fs/promises";

/** At one moment. */
export interface Taken {
  rssMb: number;
  descriptors: number;
}

interface Minute extends Taken {
  heapMb: number;
  /** Milliseconds since the last reading: beyond the interval at which the process looks. */
  delay: { p50: number; p99: number; max: number };
}

/** The interval at which `/metrics` samples the loop (server/operations/health/metrics.ts): what it reports is a delay with this interval in it. */
const SAMPLED_MS = 50;

export interface WatchedProcess {
  name: string;
  /** Everything sampled so far, oldest first. */
  samples: Taken[];
  sample(): Promise<void>;
  /** @throws Error when the process does not tell */
  readMinute(): Promise<Minute>;
}

/** @param token its METRICS_TOKEN */
export function watchProcess(name: string, { url, pid }: { url: string; pid: number }, token: string): WatchedProcess {
  const samples: Taken[] = [];
  const taken = async (): Promise<Taken> => {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
    return { rssMb, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
  };
  return {
    name,
    samples,
    async sample() {
      samples.push(await taken());
    },
    async readMinute() {
      const answer = await fetch(`${url}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(15_000),
      });
      if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
      const text = await answer.text();
      const value = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
      const ms = (kind: string) => Math.max(0, value(`nodejs_eventloop_lag_${kind}_seconds`) * 1000 - SAMPLED_MS);
      return {
        ...(await taken()),
        heapMb: value("nodejs_heap_size_used_bytes") / 2 ** 20,
        delay: { p50: ms("p50"), p99: ms("p99"), max: ms("max") },
      };
    },
  };
}

interface Growth {
  first: number;
  last: number;
  /** It grew by more than `share` and `least`, and in each quarter of the time. */
  unbounded: boolean;
}

/** Compares the medians of the quarters of a time. @param values oldest first */
export function growthOf(values: readonly number[], { share, least }: { share: number; least: number }): Growth {
  const quarter = (at: number) =>
    median(values.slice(Math.floor((at * values.length) / 4), Math.ceil(((at + 1) * values.length) / 4)));
  const quarters = [0, 1, 2, 3].map(quarter);
  const [first, last] = [quarters[0]!, quarters[3]!];
  const grows = quarters.every((one, at) => at === 0 || one > quarters[at - 1]!);
  return { first, last, unbounded: grows && last - first > Math.max(least, share * first) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
