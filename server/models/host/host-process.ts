import { type ChildProcess, fork } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { threadEnvironment } from "#server/platform/config.ts";
import { type FailureReason, ModelFailure } from "./failures.ts";
import { type HostFacts, type HostTask, readAnswer, type TaskAnswer } from "./protocol.ts";

/** Messages from a program to the server; any other message ends the program. */
export interface HostProtocol<Answer, Facts> {
  /** Parses a message; null: it is not one of this program's. */
  read(
    message: unknown,
  ):
    | { kind: "ready"; facts: Facts }
    | { kind: "unable"; missing: boolean; detail: string }
    | { kind: "alive" }
    | Answer
    | null;
  /** Whether this is the last answer to its task. */
  isLast(answer: Answer): boolean;
}

export const MODEL_PROTOCOL: HostProtocol<TaskAnswer, HostFacts> = {
  read: readAnswer,
  isLast: ({ kind }) => kind !== "delta",
};

export interface HostLimits {
  /** Memory limit of the process in bytes. */
  memoryBytes: number;
  /** Milliseconds within which the models must be loaded. */
  loadMs: number;
  /** Milliseconds without a sign of life after which the process counts as hung. */
  silentMs: number;
  /** From −20 to 19, see `setPriority`. */
  priority: number;
}

const WATCH_MS = 250;
const PAGE_BYTES = 4096;
/** Linux OOM score adjustment: when memory is short, the kernel kills this process before the server and the database. */
const OOM_SCORE = 900;

const living = new Set<{ end(reason: FailureReason): void }>();
process.on("exit", () => {
  for (const one of living) one.end("unavailable");
});

/** Runs the model program by default; the speech program (server/models/media/speech) runs under the same limits. */
export class HostProcess<
  Task extends object = HostTask,
  Answer extends { id: number; kind: string } = TaskAnswer,
  Facts = HostFacts,
> {
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

  /** @param onEnd called once, immediately, when the process exits or is killed */
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
    // The child gets none of the server's secrets and no options of the server's start.
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

  /** Resolves with what the process serves, once it has loaded. @throws ModelFailure */
  ready(): Promise<Facts> {
    return this.#ready.promise;
  }

  /** Yields the answers to a task, including the last. @throws ModelFailure when the process ends before that */
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

  /** Kills the process at once; all its unfinished tasks fail with this reason. */
  end(reason: FailureReason, detail?: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = new ModelFailure(reason, detail);
    clearInterval(this.#watch);
    // A stopped process (SIGSTOP) reacts only to SIGKILL. The exit follows soon and can be awaited.
    this.#child.kill("SIGKILL");
    this.#child.ref();
    this.#onEnd(this.#failure);
    this.#ready.reject(this.#failure);
    for (const answer of this.#asked.values()) answer(this.#failure);
  }

  fail(reason: FailureReason): ModelFailure {
    this.end(reason);
    return this.#failure ?? new ModelFailure(reason);
  }

  /** Lowers the process's priority below the server's, and makes the kernel kill it first when memory is short. */
  #calm(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      setPriority(pid, this.#limits.priority);
    } catch {
      // The process has exited already, or the system forbids the change: it then runs at the server's priority.
    }
    if (process.platform === "linux") writeFile(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE)).catch(() => undefined);
  }

  #send(request: object): void {
    if (!this.#child.connected) return;
    // A message cannot be sent only when the process has exited, which the exit handler reports.
    this.#child.send(request, () => undefined);
  }

  #hear(message: unknown): void {
    if (this.#failure !== undefined) return;
    this.#heard = performance.now();
    const said = this.#protocol.read(message);
    if (said === null) this.end("malformed");
    // Answers to cancelled tasks are ignored.
    else if ("id" in said) this.#asked.get(said.id)?.(said);
    else if (said.kind === "ready") this.#ready.resolve(said.facts);
    else if (said.kind === "unable" && said.missing) this.end("missing");
    else if (said.kind === "unable") this.end("unavailable", said.detail);
  }

  /** Checks that the process is alive and, on Linux, how much memory it uses. */
  async #look(): Promise<void> {
    const now = performance.now();
    // The server's own event loop was blocked, so messages of the process could not arrive.
    if (now - this.#watched > WATCH_MS * 4) this.#heard = Math.max(this.#heard, now - this.#limits.silentMs / 2);
    this.#watched = now;
    if (now - this.#heard > this.#limits.silentMs) this.end("hung");
    const facts = await readFile(`/proc/${this.#child.pid}/statm`, "utf8").catch(() => "");
    const bytes = Number(facts.split(" ")[1] ?? 0) * PAGE_BYTES;
    if (bytes > this.#limits.memoryBytes) this.end("memory", `${Math.round(bytes / 1024 ** 2)} MB`);
  }

  /** @param held whether the child keeps the server's process from exiting */
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
