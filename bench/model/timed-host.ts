// A model process that records the duration and size of each generation.
import { readFileSync } from "node:fs";
import { type Asking, type Generated, type Generation, ModelHost } from "#server/models/host/model-host.ts";

export interface Timed {
  /** Time until the first token of the answer. */
  firstMs: number;
  /** Time from the first token to the end. */
  writingMs: number;
  /** CPU time of the same two phases, which a busy machine does not increase; NaN where the system does not tell. */
  firstCpuMs: number;
  writingCpuMs: number;
  /** Number of tokens in the whole prompt, and in the answer. */
  input: number;
  output: number;
  /** Share of the prompt's tokens that the model had not read before. */
  anew: number;
}

export class TimedHost extends ModelHost {
  readonly timed: Timed[] = [];
  /** Maximum number of tokens to write, because a model with random weights never ends on its own. */
  tokenLimit = Number.POSITIVE_INFINITY;
  /** The last reading ahead. A person who types leaves more time than it takes. */
  ahead: Promise<unknown> = Promise.resolve();

  override prefill(...asked: Parameters<ModelHost["prefill"]>): ReturnType<ModelHost["prefill"]> {
    const read = super.prefill(...asked);
    this.ahead = read;
    return read;
  }

  override async *generate(generation: Generation, asking: Asking): AsyncGenerator<string, Generated, void> {
    const maxTokens = Math.min(generation.maxTokens, this.tokenLimit);
    const begun = performance.now();
    const cpuBegun = cpuMsOf(this.pid);
    const answer = super.generate({ ...generation, maxTokens }, asking);
    let [first, cpuFirst] = [0, 0];
    for (;;) {
      const next = await answer.next();
      if (first === 0) [first, cpuFirst] = [performance.now(), cpuMsOf(this.pid)];
      if (!next.done) {
        yield next.value;
        continue;
      }
      const { input, output, reused } = next.value;
      const ended = performance.now();
      const cpu = { firstCpuMs: cpuFirst - cpuBegun, writingCpuMs: cpuMsOf(this.pid) - cpuFirst };
      const timed = { firstMs: first - begun, writingMs: ended - first, ...cpu, input, output };
      this.timed.push({ ...timed, anew: 1 - reused / input });
      return next.value;
    }
  }
}

const TICK_MS = 10;

/** User and system time of a process, as Linux alone tells. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
