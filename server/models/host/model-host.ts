/**
 * Runs tasks on the local models: starts the process with the first task, restarts it after its end, queues tasks and gives each a
 * deadline. A failure of the process fails only its task, as a `ModelFailure` (docs/decisions/030-local-models.md).
 */
import type { Log } from "#server/platform/log.ts";
import { type Asker, FairScheduler, type SchedulerLimits } from "#server/platform/process/fair-scheduler.ts";
import { modelTokens } from "#server/platform/process/metrics.ts";
import { ModelFailure } from "./failures.ts";
import { answersOf } from "./host-answers.ts";
import { HostProcess, MODEL_PROTOCOL } from "./host-process.ts";
import { GENERATIONS, type HostTimes, TIMES, VECTORS } from "./host-times.ts";
import { Prefilling } from "./prefilling.ts";
import type { GenerateTask, HostFacts, HostTask, LoadRequest, PrefillTask, TaskAnswer, TextRole } from "./protocol.ts";
import { TaskDrain } from "./task-drain.ts";
import { RestAfterFailures, untilAborted, waitForModel } from "./wait-for-model.ts";

export interface ModelHostOptions {
  load: Omit<LoadRequest, "kind">;
  memoryBytes: number;
  log: Log;
  /** Replaced in tests by programs that misbehave. */
  program?: URL;
  limits?: Partial<HostTimes>;
  turns?: SchedulerLimits;
}

/** The person on whose behalf a task runs, and the caller's deadline. */
export interface Asking {
  asker: Asker;
  signal: AbortSignal;
  /** Milliseconds for a whole generation; absent: the host's default. */
  totalMs?: number;
}

export type Generation = Omit<GenerateTask, "kind">;

export interface Generated {
  /** "length": the text reached `maxTokens`. */
  stopped: "end" | "length";
  /** Number of tokens of the prompt. */
  input: number;
  /** Number of generated tokens. */
  output: number;
  /** Number of input tokens that were reused from the previous generation's context. */
  reused: number;
}

const PROGRAM = new URL("process/main.ts", import.meta.url);

export class ModelHost {
  readonly #options: ModelHostOptions;
  readonly #times: HostTimes;
  readonly #generations: FairScheduler;
  /** A separate queue, so that a query's vector does not wait for a generation. */
  readonly #vectors = new FairScheduler(VECTORS);
  readonly #prefilling = new Prefilling();
  #process: HostProcess | null = null;
  readonly #pause: RestAfterFailures;
  #ended = false;
  readonly #retirement = new TaskDrain(async () => {
    const host = this.#process;
    this.#process = null;
    host?.end("unavailable", "another model has taken its place");
    await host?.gone;
  });

  constructor(options: ModelHostOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.limits };
    this.#pause = new RestAfterFailures(this.#times.restMs);
    this.#generations = new FairScheduler(options.turns ?? GENERATIONS);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Whether a generation is running or waiting. */
  get #isGenerating(): boolean {
    return this.#generations.running + this.#generations.waiting > 0;
  }

  /** Loads the models if none are loaded. @throws ModelFailure; the signal's reason */
  async facts(signal: AbortSignal): Promise<HostFacts> {
    return untilAborted(signal, this.#living().ready());
  }

  /**
   * Yields the text as deltas.
   * @throws TooLong when the turns and `maxTokens` do not fit; ModelFailure; the signal's reason
   */
  async *generate(generation: Generation, asking: Asking): AsyncGenerator<string, Generated, void> {
    const { asker, signal, totalMs = this.#times.totalMs } = asking;
    const { firstTokenMs, nextTokenMs } = this.#times;
    const late = new AbortController();
    const stopped = AbortSignal.any([signal, late.signal]);
    this.#prefilling.stop();
    const release = await this.#begin(this.#generations, asker, signal);
    const clock = setTimeout(() => late.abort(new ModelFailure("late")), totalMs);
    try {
      const host = this.#living();
      await untilAborted(stopped, host.ready());
      let patience = firstTokenMs;
      const task = { kind: "generate", ...generation } as const;
      for await (const answer of this.#ask(host, task, stopped, () => patience)) {
        patience = nextTokenMs;
        if (answer.kind === "delta") yield answer.text;
        else if (answer.kind === "done") {
          const { stopped: how, input, output, reused = 0 } = answer;
          modelTokens.inc({ generator: "local", direction: "read" }, input);
          modelTokens.inc({ generator: "local", direction: "written" }, output);
          return { stopped: how, input, output, reused };
        }
      }
      throw host.fail("malformed");
    } finally {
      clearTimeout(clock);
      release();
    }
  }

  /**
   * Reads the beginning of a conversation's next prompt while the model is idle. It takes no turn in the queue, stops when a real task
   * arrives, and never throws.
   * @returns number of tokens of that beginning, and how many of them were read now; null: not started, or not finished
   */
  async prefill(prefix: Omit<PrefillTask, "kind">): Promise<{ tokens: number; anew: number } | null> {
    // A prefill does not start a process.
    const host = this.#process;
    if (this.#isGenerating || this.#retirement.retired || !host?.alive) return null;
    return this.#prefilling.run(async (signal) => {
      await untilAborted(signal, host.ready());
      const answers = this.#ask(host, { kind: "prefill", ...prefix }, signal, () => this.#times.firstTokenMs);
      for await (const answer of answers)
        if (answer.kind === "prefill") return { tokens: answer.tokens, anew: answer.anew };
      return null;
    });
  }

  /**
   * Returns vectors of length 1, one for each text.
   * @throws ModelFailure; the signal's reason
   */
  async embed(
    texts: readonly { text: string; role: TextRole }[],
    { asker, signal }: Asking,
  ): Promise<{ vectors: Float32Array[]; tokens: number }> {
    const vectors: Float32Array[] = [];
    let tokens = 0;
    // Each text takes a turn of its own, so that a query waits for one text of a training and not for all.
    for (const { text, role } of texts) {
      const answer = await this.#single({ kind: "embed", text, role }, asker, signal);
      if (answer.kind !== "vector" || answer.vector.length === 0 || !answer.vector.every(Number.isFinite))
        throw this.#living().fail("malformed");
      vectors.push(answer.vector);
      tokens += answer.tokens;
    }
    return { vectors, tokens };
  }

  /** Scores how likely each document answers the query, 0..1. @throws ModelFailure; the signal's reason */
  async rerank(query: string, documents: readonly string[], { asker, signal }: Asking): Promise<number[]> {
    const scores: number[] = [];
    for (const document of documents) {
      const answer = await this.#single({ kind: "rerank", query, document }, asker, signal);
      if (answer.kind !== "score") throw this.#living().fail("malformed");
      scores.push(answer.score);
    }
    return scores;
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#process?.end("unavailable", "the server ends");
    await this.#process?.gone;
  }

  /**
   * Retires the host when another model replaces it: tasks in progress end normally, then the process exits. Holders of this host may still
   * send tasks; each time the process exits after the last one.
   */
  retire(): Promise<void> {
    return this.#retirement.retire();
  }

  /** Cancels the retirement, because the model is in use again. */
  keep(): void {
    this.#retirement.keep();
  }

  /** Waits for the task's turn. Resolves with a function that ends the turn. */
  async #begin(turns: FairScheduler, asker: Asker, signal: AbortSignal): Promise<() => void> {
    const end = this.#retirement.begin();
    try {
      const release = await waitForModel(turns, { asker, signal, waitMs: this.#times.waitMs });
      return () => {
        release();
        end();
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  async #single(task: HostTask, asker: Asker, signal: AbortSignal): Promise<TaskAnswer> {
    this.#prefilling.stop();
    const release = await this.#begin(this.#vectors, asker, signal);
    try {
      const host = this.#living();
      await untilAborted(signal, host.ready());
      for await (const answer of this.#ask(host, task, signal, () => this.#times.nextTokenMs)) return answer;
      throw host.fail("malformed");
    } finally {
      release();
    }
  }

  #ask(host: HostProcess, task: HostTask, signal: AbortSignal, patience: () => number) {
    const worked = () => this.#pause.worked();
    return answersOf(host, task, { signal, patience, worked });
  }

  /** Returns the running process, or starts one. @throws ModelFailure */
  #living(): HostProcess {
    if (this.#ended) throw new ModelFailure("unavailable", "the server ends");
    if (this.#process?.alive) return this.#process;
    this.#pause.over();
    const { load, memoryBytes, log, program = PROGRAM } = this.#options;
    const begun = performance.now();
    const limits = { ...this.#times, memoryBytes };
    const loading = { kind: "load", ...load };
    const host = new HostProcess(program, loading, limits, MODEL_PROTOCOL, (failure) => this.#failed(failure));
    this.#process = host;
    host.ready().then(
      ({ threads }) =>
        log.info({ pid: host.pid, threads, ms: Math.round(performance.now() - begun) }, "local models are loaded"),
      () => undefined,
    );
    return host;
  }

  #failed(failure: ModelFailure): void {
    if (this.#ended || (this.#retirement.retired && this.#process === null)) return;
    this.#options.log.error({ err: failure, ...this.#pause.failed(failure) }, "the local model's process was ended");
  }
}
