/**
 * Recognises speech: starts the process with the first recording, restarts it after its end, queues recordings and gives each a deadline by
 * its length. Its limits are those of the model process (docs/decisions/030-local-models.md, docs/decisions/020-voice-and-pictures.md).
 */

import { ModelFailure } from "#server/models/host/failures.ts";
import { HostProcess } from "#server/models/host/host-process.ts";
import { RestAfterFailures, untilAborted, waitForModel } from "#server/models/host/wait-for-model.ts";
import type { Log } from "#server/platform/log.ts";
import { FairScheduler, type SchedulerLimits } from "#server/platform/process/fair-scheduler.ts";
import type { AudioProblemReason } from "./audio/audio-problem.ts";
import {
  SPEECH_PROTOCOL,
  type SpeechAnswer,
  type SpeechFacts,
  type SpeechLoad,
  type TranscribeTask,
} from "./protocol.ts";

interface SpeechTimes {
  loadMs: number;
  /** Maximum time without a sign of life. */
  silentMs: number;
  /** From −20 to 19, see `setPriority`. */
  priority: number;
  /** Maximum time in the queue. */
  waitMs: number;
  /** Maximum time until the recording is decoded. */
  decodeMs: number;
  /** Maximum time until the next piece of text. */
  partMs: number;
  /** Maximum time for a recording: `baseMs` plus `perSecond` for each second of it. */
  baseMs: number;
  perSecond: number;
  /** Pause after the first failure of the process; each further failure in a row doubles it. */
  restMs: number;
  /** After this time without recordings the process exits and frees its memory. */
  idleMs: number;
}

const TIMES: SpeechTimes = {
  loadMs: 120_000,
  silentMs: 20_000,
  priority: 10,
  waitMs: 120_000,
  decodeMs: 30_000,
  partMs: 120_000,
  baseMs: 30_000,
  perSecond: 6000,
  restMs: 500,
  idleMs: 600_000,
};

const TURNS: SchedulerLimits = {
  ...{ all: 1, perOrganization: 1, perUser: 1 },
  ...{ waitingPerUser: 8, waitingPerOrganization: 8, waiting: 8 },
};
/** The jobs that send recordings already alternate between organisations (docs/decisions/009-process-roles-and-job-scheduling.md). */
const EVERYBODY = { organizationId: "", userId: "" };

export interface SpeechHostOptions {
  load: Omit<SpeechLoad, "kind">;
  memoryBytes: number;
  log: Log;
  /** Replaced in tests by programs that misbehave. */
  program?: URL;
  times?: Partial<SpeechTimes>;
}

export type SpeechPart = Omit<Extract<SpeechAnswer, { kind: "part" }>, "id" | "kind">;

type TranscriptionResult = { seconds: number; parts: SpeechPart[] } | AudioProblemReason;

const PROGRAM = new URL("host/main.ts", import.meta.url);
type Process = HostProcess<TranscribeTask, SpeechAnswer, SpeechFacts>;

export class SpeechHost {
  readonly #options: SpeechHostOptions;
  readonly #times: SpeechTimes;
  readonly #turns = new FairScheduler(TURNS);
  #process: Process | null = null;
  readonly #pause: RestAfterFailures;
  #ended = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: SpeechHostOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#pause = new RestAfterFailures(this.#times.restMs);
  }

  get pid(): number | undefined {
    return this.#process?.alive ? this.#process.pid : undefined;
  }

  /** @throws ModelFailure; the signal's reason */
  async transcribe(
    source: TranscribeTask["source"],
    { maxSeconds, signal }: { maxSeconds: number; signal: AbortSignal },
  ): Promise<TranscriptionResult> {
    const { waitMs } = this.#times;
    const release = await waitForModel(this.#turns, { asker: EVERYBODY, signal, waitMs });
    clearTimeout(this.#idle);
    try {
      const host = this.#living();
      await untilAborted(signal, host.ready());
      return await this.#listen(host, { kind: "transcribe", source, maxSeconds }, signal);
    } finally {
      release();
      this.#idle = setTimeout(() => this.#rest(), this.#times.idleMs).unref();
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#process?.end("unavailable", "the server ends");
    await this.#process?.gone;
  }

  async #listen(host: Process, task: TranscribeTask, signal: AbortSignal): Promise<TranscriptionResult> {
    const parts: SpeechPart[] = [];
    let seconds = 0;
    let patience = this.#times.decodeMs;
    let late: NodeJS.Timeout | undefined;
    const answers = host.ask(task, signal);
    try {
      for (;;) {
        const hung = setTimeout(() => host.end("hung", "no answer"), patience);
        const next = await answers.next().finally(() => clearTimeout(hung));
        // Every task ends with an explicit last message.
        if (next.done) throw host.fail("malformed");
        const { id: _, ...answer } = next.value;
        if (answer.kind === "failed") throw new ModelFailure("refused", answer.detail);
        if (answer.kind === "cancelled") throw new ModelFailure("refused", "cancelled");
        this.#pause.worked();
        if (answer.kind === "unheard") return answer.reason;
        if (answer.kind === "done") return { seconds, parts };
        if (answer.kind === "decoded") {
          seconds = answer.seconds;
          patience = this.#times.partMs;
          const { baseMs, perSecond } = this.#times;
          late = setTimeout(() => host.end("late"), baseMs + perSecond * seconds);
        } else {
          const { kind: _kind, ...part } = answer;
          parts.push(part);
        }
      }
    } finally {
      clearTimeout(late);
      await answers.return();
    }
  }

  /** Ends the process after `idleMs` without recordings. */
  #rest(): void {
    if (this.#turns.running > 0) return;
    const host = this.#process;
    this.#process = null;
    host?.end("unavailable", "nobody speaks");
  }

  /** Returns the running process, or starts one. @throws ModelFailure */
  #living(): Process {
    if (this.#ended) throw new ModelFailure("unavailable", "the server ends");
    if (this.#process?.alive) return this.#process;
    this.#pause.over();
    const { load, memoryBytes, log, program = PROGRAM } = this.#options;
    const begun = performance.now();
    const limits = { ...this.#times, memoryBytes };
    const loading: SpeechLoad = { kind: "load", ...load };
    const host: Process = new HostProcess(program, loading, limits, SPEECH_PROTOCOL, (failure) =>
      this.#failed(failure),
    );
    this.#process = host;
    host.ready().then(
      () => log.info({ pid: host.pid, ms: Math.round(performance.now() - begun) }, "the speech model is loaded"),
      () => undefined,
    );
    return host;
  }

  #failed(failure: ModelFailure): void {
    // The process was ended on purpose: by the server, or because the host was idle.
    if (this.#ended || this.#process === null) return;
    this.#options.log.error({ err: failure, ...this.#pause.failed(failure) }, "the speech process was ended");
  }
}
