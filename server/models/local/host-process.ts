/** One run of the model's process: started, watched, asked and ended. Every fault ends it, together with everything that it was asked. */
import { type ChildProcess, fork } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { threadEnvironment } from "#server/platform/config.ts";
import { type FailureReason, ModelFailure } from "./failures.ts";
import { type HostFacts, type HostTask, readAnswer, type TaskAnswer } from "./protocol.ts";

/** What a program says to the server; anything else ends it. */
export interface HostProtocol<Answer, Facts> {
  /** null: nothing that this program says. */
  read(
    message: unknown,
  ):
    | { kind: "ready"; facts: Facts }
    | { kind: "unable"; missing: boolean; detail: string }
    | { kind: "alive" }
    | Answer
    | null;
  /** Whether nothing more comes for the task. */
  isLast(answer: Answer): boolean;
}

export const MODEL_PROTOCOL: HostProtocol<TaskAnswer, HostFacts> = {
  read: readAnswer,
  isLast: ({ kind }) => kind !== "delta",
};

export interface HostLimits {
  /** Greatest memory of the process in bytes. */
  memoryBytes: number;
  /** Milliseconds until the models must be loaded. */
  loadMs: number;
  /** Milliseconds without a sign of life after which the process counts as hung. */
  silentMs: number;
  /** −20 to 19, see `setPriority`. */
  priority: number;
}

const WATCH_MS = 250;
const PAGE_BYTES = 4096;
/** When memory is short, the kernel kills this process before the server and the database. */
const OOM_SCORE = 900;

const living = new Set<{ end(reason: FailureReason): void }>();
process.on("exit", () => {
  for (const one of living) one.end("unavailable");
});

/** The program of models by default; speech is recognised by another one behind the same fences (server/models/media/speech). */
export class HostProcess<
  Task extends object = HostTask,
  Answer extends { id: number; kind: string } = TaskAnswer,
  Facts = HostFacts,
> {
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #limits: HostLimits;
  readonly #onEnd: (failure: ModelFailure) => void;
  readonly #watch: NodeJS.Timeout;
  readonly #asked = new Map<number, (answer: Answer | ModelFailure) => void>();
  readonly #ready = Promise.withResolvers<Facts>();
  readonly #protocol: HostProtocol<Answer, Facts>;
  #failure: ModelFailure | undefined;
  #heard = performance.now();
  #watched = performance.now();
  #last = 0;

  /** @param onEnd called once, immediately, when the process has ended or was ended */
  constructor(
    program: URL,
    load: object,
    limits: HostLimits,
    protocol: HostProtocol<Answer, Facts>,
    onEnd: (failure: ModelFailure) => void,
  ) {
    this.#limits = limits;
    this.#protocol = protocol;
    this.#onEnd = onEnd;
    // No secret of the server's, and nothing of the way it was started.
    const env = { PATH: "/usr/bin:/bin", ...threadEnvironment() };
    this.#child = fork(fileURLToPath(program), {
      env,
      execArgv: ["--no-warnings"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    living.add(this);
    this.#calm();
    this.#child.on("message", (message) => this.#hear(message));
    this.gone = new Promise((resolve) => {
      const leave = () => {
        this.end("crashed");
        living.delete(this);
        resolve();
      };
      this.#child.once("error", leave).once("close", leave);
    });
    const late = setTimeout(() => this.end("unavailable", "it did not load in time"), limits.loadMs).unref();
    const loaded = () => {
      clearTimeout(late);
      this.#hold(this.#asked.size > 0);
    };
    this.#ready.promise.then(loaded, loaded);
    this.#watch = setInterval(() => void this.#look(), WATCH_MS).unref();
    this.#send(load);
  }

  get alive(): boolean {
    return this.#failure === undefined;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What the process serves, once it has loaded. @throws ModelFailure */
  ready(): Promise<Facts> {
    return this.#ready.promise;
  }

  /** The answers to a task; the last one is its end. @throws ModelFailure when the process ends before that */
  async *ask(task: Task, signal: AbortSignal): AsyncGenerator<Answer, void, void> {
    signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
    const id = ++this.#last;
    const heard: (Answer | ModelFailure)[] = [];
    let wake: () => void = () => undefined;
    const leave = () => wake();
    this.#asked.set(id, (answer) => {
      heard.push(answer);
      wake();
    });
    signal.addEventListener("abort", leave, { once: true });
    this.#hold(true);
    let ended = false;
    try {
      this.#send({ ...task, id });
      while (!ended) {
        signal.throwIfAborted();
        const next = heard.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        if (next instanceof ModelFailure) {
          ended = true;
          throw next;
        }
        ended = this.#protocol.isLast(next);
        yield next;
      }
    } finally {
      signal.removeEventListener("abort", leave);
      this.#asked.delete(id);
      if (!ended) this.#send({ kind: "cancel", id });
      this.#hold(this.#asked.size > 0);
    }
  }

  /** Ends the process at once; everything that it was asked fails for this reason. */
  end(reason: FailureReason, detail?: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = new ModelFailure(reason, detail);
    clearInterval(this.#watch);
    // A stopped process is ended by nothing less; its end, which is near, may be waited for.
    this.#child.kill("SIGKILL");
    this.#child.ref();
    this.#onEnd(this.#failure);
    this.#ready.reject(this.#failure);
    for (const answer of this.#asked.values()) answer(this.#failure);
  }

  /** Ends the process and returns the failure to throw. */
  fail(reason: FailureReason): ModelFailure {
    this.end(reason);
    return this.#failure ?? new ModelFailure(reason);
  }

  /** Gives the server's own threads priority, and makes the kernel kill this process first when memory is short. */
  #calm(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      setPriority(pid, this.#limits.priority);
    } catch {
      // It has gone already, or the system does not let us: it works at the server's own pace.
    }
    if (process.platform === "linux") writeFile(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE)).catch(() => undefined);
  }

  #send(request: object): void {
    if (!this.#child.connected) return;
    // A message that cannot be sent has lost its reader; the end of the process reports that.
    this.#child.send(request, () => undefined);
  }

  #hear(message: unknown): void {
    if (this.#failure !== undefined) return;
    this.#heard = performance.now();
    const said = this.#protocol.read(message);
    if (said === null) this.end("malformed");
    // What is not asked any more was cancelled meanwhile.
    else if ("id" in said) this.#asked.get(said.id)?.(said);
    else if (said.kind === "ready") this.#ready.resolve(said.facts);
    else if (said.kind === "unable" && said.missing) this.end("missing");
    else if (said.kind === "unable") this.end("unavailable", said.detail);
  }

  /** Checks that the process lives and, on Linux, how much memory it uses. */
  async #look(): Promise<void> {
    const now = performance.now();
    // Our own loop stood still, so nothing from the process could be heard.
    if (now - this.#watched > WATCH_MS * 4) this.#heard = Math.max(this.#heard, now - this.#limits.silentMs / 2);
    this.#watched = now;
    if (now - this.#heard > this.#limits.silentMs) this.end("hung");
    const facts = await readFile(`/proc/${this.#child.pid}/statm`, "utf8").catch(() => "");
    const bytes = Number(facts.split(" ")[1] ?? 0) * PAGE_BYTES;
    if (bytes > this.#limits.memoryBytes) this.end("memory", `${Math.round(bytes / 1024 ** 2)} MB`);
  }

  /** @param held whether the process keeps the server's process from exiting */
  #hold(held: boolean): void {
    if (this.#failure !== undefined) return;
    const channel = this.#child.channel;
    if (held) {
      this.#child.ref();
      channel?.ref();
    } else {
      this.#child.unref();
      channel?.unref();
    }
  }
}
