/**
 * The local models as the server asks them: a process begun with the first task and begun again when it has ended, tasks in turn, each with
 * a deadline. Every way in which the process may fail is a `ModelFailure` of the task, and of nothing else (docs/decisions/051).
 */
import { Problem } from "#server/errors.ts";
import { type Asker, FairTurns, type TurnLimits } from "#server/fair-turns.ts";
import type { Log } from "#server/log.ts";
import { ModelFailure, TooLong } from "./failures.ts";
import { type HostLimits, HostProcess } from "./host-process.ts";
import type { GenerateTask, HostFacts, HostTask, LoadRequest, TaskAnswer, TextRole } from "./protocol.ts";

export interface ModelHostOptions {
  load: Omit<LoadRequest, "kind">;
  memoryBytes: number;
  log: Log;
  /** Tests have programs that misbehave. */
  program?: URL;
  limits?: Partial<HostTimes>;
  /** Of generations. */
  turns?: TurnLimits;
}

export interface HostTimes extends Omit<HostLimits, "memoryBytes"> {
  /** For its turn. */
  waitMs: number;
  /** Until a generation's first token: the prompt is read meanwhile. */
  firstTokenMs: number;
  /** Between two tokens, and for a vector or a score. */
  nextTokenMs: number;
  /** For a whole generation, from its turn on. */
  totalMs: number;
  /** The process has failed: the first rest before another is begun; each further failure in a row doubles it. */
  restMs: number;
}

/** For whom, and until when anybody waits for it. */
export interface Asking {
  asker: Asker;
  signal: AbortSignal;
  /** For a whole generation, where it is not the host's own time. */
  totalMs?: number;
}

export type Generation = Omit<GenerateTask, "kind">;

export interface Generated {
  /** length: cut, for it was long enough. */
  stopped: "end" | "length";
  /** Tokens read and written. */
  input: number;
  output: number;
}

const TIMES: HostTimes = {
  loadMs: 180_000,
  silentMs: 20_000,
  priority: 10,
  waitMs: 20_000,
  firstTokenMs: 60_000,
  nextTokenMs: 20_000,
  totalMs: 120_000,
  restMs: 500,
};
const PROGRAM = new URL("host/main.ts", import.meta.url);
const LONGEST_REST_MS = 60_000;
/** A processor reads one talk at a time best; who would be further back in the line is answered sooner without a model. */
const GENERATIONS: TurnLimits = {
  all: 1,
  perOrganization: 1,
  perUser: 1,
  waitingPerUser: 3,
  waitingPerOrganization: 4,
  waiting: 8,
};
const VECTORS: TurnLimits = {
  all: 1,
  perOrganization: 1,
  perUser: 1,
  waitingPerUser: 200,
  waitingPerOrganization: 400,
};

export class ModelHost {
  readonly #options: ModelHostOptions;
  readonly #times: HostTimes;
  readonly #generations: FairTurns;
  /** A question's vector waits for no generation. */
  readonly #vectors = new FairTurns(VECTORS);
  #process: HostProcess | null = null;
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(options: ModelHostOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.limits };
    this.#generations = new FairTurns(options.turns ?? GENERATIONS);
  }

  /** Of the process that lives now. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Loads, if nothing is loaded. @throws ModelFailure; the signal's reason */
  async facts(signal: AbortSignal): Promise<HostFacts> {
    return untilAborted(signal, this.#open().ready());
  }

  /**
   * The text as deltas.
   * @throws TooLong when the turns and `maxTokens` do not fit; ModelFailure; the signal's reason
   */
  async *generate(generation: Generation, asking: Asking): AsyncGenerator<string, Generated, void> {
    const { asker, signal, totalMs = this.#times.totalMs } = asking;
    const { firstTokenMs, nextTokenMs } = this.#times;
    const late = new AbortController();
    const stopped = AbortSignal.any([signal, late.signal]);
    const release = await this.#turn(this.#generations, asker, signal);
    const clock = setTimeout(() => late.abort(new ModelFailure("late")), totalMs);
    try {
      const host = this.#open();
      await untilAborted(stopped, host.ready());
      let patience = firstTokenMs;
      for await (const answer of this.#ask(host, { kind: "generate", ...generation }, stopped, () => patience)) {
        patience = nextTokenMs;
        if (answer.kind === "delta") yield answer.text;
        else if (answer.kind === "done") {
          const { stopped: how, input, output } = answer;
          return { stopped: how, input, output };
        }
      }
      throw host.fail("malformed");
    } finally {
      clearTimeout(clock);
      release();
    }
  }

  /**
   * Vectors of length 1, one for each text.
   * @throws ModelFailure; the signal's reason
   */
  async embed(
    texts: readonly { text: string; role: TextRole }[],
    { asker, signal }: Asking,
  ): Promise<{ vectors: Float32Array[]; tokens: number }> {
    const vectors: Float32Array[] = [];
    let tokens = 0;
    // Each text is a turn: a question waits for one text of those who learn, not for all.
    for (const { text, role } of texts) {
      const answer = await this.#single({ kind: "embed", text, role }, asker, signal);
      if (answer.kind !== "vector" || answer.vector.length === 0 || !answer.vector.every(Number.isFinite))
        throw this.#open().fail("malformed");
      vectors.push(answer.vector);
      tokens += answer.tokens;
    }
    return { vectors, tokens };
  }

  /** How likely each document answers the query, 0..1. @throws ModelFailure; the signal's reason */
  async rerank(query: string, documents: readonly string[], { asker, signal }: Asking): Promise<number[]> {
    const scores: number[] = [];
    for (const document of documents) {
      const answer = await this.#single({ kind: "rerank", query, document }, asker, signal);
      if (answer.kind !== "score") throw this.#open().fail("malformed");
      scores.push(answer.score);
    }
    return scores;
  }

  /** For good. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#process?.end("unavailable", "the server ends");
    await this.#process?.gone;
  }

  async #single(task: HostTask, asker: Asker, signal: AbortSignal): Promise<TaskAnswer> {
    const release = await this.#turn(this.#vectors, asker, signal);
    try {
      const host = this.#open();
      await untilAborted(signal, host.ready());
      for await (const answer of this.#ask(host, task, signal, () => this.#times.nextTokenMs)) return answer;
      throw host.fail("malformed");
    } finally {
      release();
    }
  }

  /** What the process answers; one that is silent for longer than its time is ended. */
  async *#ask(
    host: HostProcess,
    task: HostTask,
    signal: AbortSignal,
    patience: () => number,
  ): AsyncGenerator<TaskAnswer, void, void> {
    const answers = host.ask(task, signal);
    try {
      for (;;) {
        const hung = setTimeout(() => host.end("hung", `${task.kind}: no answer`), patience());
        const next = await answers.next().finally(() => clearTimeout(hung));
        if (next.done) return;
        const answer = next.value;
        if (answer.kind === "too-long") throw new TooLong(answer.tokens, answer.room);
        if (answer.kind === "failed" || answer.kind === "cancelled") {
          throw new ModelFailure("refused", answer.kind === "failed" ? answer.detail : "cancelled");
        }
        this.#failures = 0;
        yield answer;
      }
    } finally {
      await answers.return();
    }
  }

  /** The process that lives, or another. @throws ModelFailure */
  #open(): HostProcess {
    if (this.#ended) throw new ModelFailure("unavailable", "the server ends");
    if (this.#process?.alive) return this.#process;
    const rest = this.#restsUntil - performance.now();
    if (rest === Number.POSITIVE_INFINITY) throw new ModelFailure("missing");
    if (rest > 0) throw new ModelFailure("resting", "", Math.ceil(rest / 1000));
    const { load, memoryBytes, log, program = PROGRAM } = this.#options;
    const begun = performance.now();
    const limits = { ...this.#times, memoryBytes };
    const host = new HostProcess(program, { kind: "load", ...load }, limits, (failure) => this.#failed(failure));
    this.#process = host;
    host.ready().then(
      ({ threads }) =>
        log.info({ pid: host.pid, threads, ms: Math.round(performance.now() - begun) }, "local models are loaded"),
      () => undefined,
    );
    return host;
  }

  #failed(failure: ModelFailure): void {
    if (this.#ended) return;
    // What is not installed will not be there in a minute either.
    const rest =
      failure.reason === "missing"
        ? Number.POSITIVE_INFINITY
        : Math.min(LONGEST_REST_MS, this.#times.restMs * 2 ** this.#failures);
    this.#failures++;
    this.#restsUntil = performance.now() + rest;
    this.#options.log.error(
      { err: failure, failures: this.#failures, restMs: rest },
      "the local model's process was ended",
    );
  }

  /** Resolves with what ends the turn. */
  async #turn(turns: FairTurns, asker: Asker, signal: AbortSignal): Promise<() => void> {
    const { waitMs } = this.#times;
    const waiting = new AbortController();
    const begun = Promise.withResolvers<() => void>();
    turns
      .run(asker, AbortSignal.any([signal, waiting.signal]), () => new Promise<void>((end) => begun.resolve(end)))
      .catch(begun.reject);
    const clock = setTimeout(() => waiting.abort(), waitMs);
    try {
      return await begun.promise;
    } catch (error) {
      signal.throwIfAborted();
      if (waiting.signal.aborted) throw new ModelFailure("busy", "no turn in time", Math.ceil(waitMs / 1000));
      if (error instanceof Problem && error.status === 429)
        throw new ModelFailure("busy", "", Math.ceil(waitMs / 1000));
      throw error;
    } finally {
      clearTimeout(clock);
    }
  }
}

/** The promise, or the signal's reason if that is sooner. */
function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
