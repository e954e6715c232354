/**
 * A separate process for data from strangers: bounded memory and time, no network, no secrets, no writing, and reading only of its program.
 * If it dies, the caller gets an error and the server keeps running (docs/decisions/018-untrusted-text.md).
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { threadEnvironment } from "#server/platform/config.ts";
import { lowerPriorityOf } from "#server/platform/process/low-priority.ts";
import { type Frame, type FrameLimits, framePieces, readFrames } from "./frames.ts";

export interface SandboxOptions {
  /** The program file, which calls `serveRequests` of serve-requests.ts. */
  file: URL;
  memoryBytes: number;
  answers: FrameLimits;
  /** Files and folders that it may read besides its program. */
  readable?: readonly string[];
  /** Runs the process at low priority, because no caller waits for it. */
  background?: boolean;
  /** Maximum CPU time of the process, seconds; 600 by default. */
  cpuSeconds?: number;
}

type SandboxFailure = "memory" | "time" | "crash" | "ended";

/** The process exited or was killed before it responded. */
export class SandboxEnded extends Error {
  override name = "SandboxEnded";
  readonly reason: SandboxFailure;

  constructor(reason: SandboxFailure, detail: string) {
    super(`A sandboxed process ended: ${reason}${detail === "" ? "" : ` (${detail})`}`);
    this.reason = reason;
  }
}

const WATCH_MS = 50;
const PAGE_BYTES = 4096;
const HEAP_MB = 256;
/** Added to the kernel's memory limit, which also counts memory that V8 reserves for code and never uses. */
const RESERVED_BYTES = 1024 ** 3;
/** Default CPU time limit in seconds, which ends even an abandoned process. */
const CPU_SECONDS = 600;
const KEPT_WORDS = 2000;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = ["server/", "contract/", "node_modules/", "package.json"].map((path) => `${root}${path}`);
const POSIX = process.platform !== "win32";

/**
 * Limits that the kernel enforces where it supports them: memory, CPU time, no written files, no core dump, and termination with the
 * server.
 */
const LIMITED = `ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -d "$2" 2>/dev/null; shift 2
if setpriv --pdeathsig KILL true 2>/dev/null; then exec setpriv --pdeathsig KILL "$@"; fi
exec "$@"`;

function nodeArguments({ file, readable = [] }: SandboxOptions): string[] {
  const { NODE_COMPILE_CACHE } = threadEnvironment();
  // The compile cache contains the server's own code; the process may read it but not write it.
  const folders = [...PROGRAM, ...readable, ...(NODE_COMPILE_CACHE === undefined ? [] : [`${NODE_COMPILE_CACHE}/`])];
  return [
    "--permission",
    ...folders.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${HEAP_MB}`,
    "--max-semi-space-size=8",
    "--no-warnings",
    "--import",
    new URL("guard.ts", import.meta.url).href,
    fileURLToPath(file),
  ];
}

function launch(options: SandboxOptions): ChildProcessByStdio<Writable, Readable, Readable> {
  const node = nodeArguments(options);
  const env = { PATH: "/usr/bin:/bin", MALLOC_ARENA_MAX: "2", ...threadEnvironment() };
  const stdio = ["pipe", "pipe", "pipe"] as const;
  if (!POSIX) return spawn(process.execPath, node, { stdio: [...stdio], env, windowsHide: true });
  const dataKilobytes = Math.ceil((options.memoryBytes + RESERVED_BYTES) / 1024);
  const limited = [
    "-c",
    LIMITED,
    "sandbox",
    String(options.cpuSeconds ?? CPU_SECONDS),
    String(dataKilobytes),
    process.execPath,
    ...node,
  ];
  return spawn("/bin/sh", limited, { stdio: [...stdio], env });
}

const living = new Set<Sandbox>();
process.on("exit", () => {
  for (const sandbox of living) sandbox.end();
});

export class Sandbox {
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #answers: AsyncGenerator<Frame, void, void>;
  readonly #memoryBytes: number;
  #failure: SandboxFailure | undefined;
  #alive = true;
  /** The process's stderr output before the first request; later output may contain user text. */
  #words = "";
  #asked = false;

  constructor(options: SandboxOptions) {
    this.#memoryBytes = options.memoryBytes;
    this.#child = launch(options);
    if (options.background) lowerPriorityOf(this.#child.pid);
    this.#answers = readFrames(this.#child.stdout, options.answers);
    this.#child.stderr.setEncoding("utf8").on("data", (words: string) => {
      if (!this.#asked) this.#words = `${this.#words}${words}`.slice(-KEPT_WORDS);
    });
    // Writing to an exited process fails, which its exit handler reports.
    this.#child.stdin.on("error", () => undefined);
    this.gone = new Promise((resolve) => {
      const leave = () => {
        this.#alive = false;
        living.delete(this);
        resolve();
      };
      this.#child.once("error", leave).once("close", leave);
    });
    living.add(this);
  }

  get alive(): boolean {
    return this.#alive && this.#failure === undefined;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sets whether the child keeps the server's process from exiting. */
  hold(held: boolean): void {
    const parts = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr] as {
      ref?(): void;
      unref?(): void;
    }[];
    for (const part of parts) held ? part.ref?.() : part.unref?.();
  }

  /** Waits until the program is loaded. @throws SandboxEnded */
  async ready(): Promise<void> {
    await this.receive();
  }

  end(reason: SandboxFailure = "ended"): void {
    this.#failure ??= reason;
    this.#child.kill("SIGKILL");
  }

  send(header: unknown, body?: readonly Uint8Array[]): void {
    this.#asked = true;
    for (const piece of framePieces(header, body)) this.#child.stdin.write(piece);
  }

  /**
   * Waits for the next response.
   * @param withinMs after this time without a response the process is killed
   * @throws SandboxEnded
   */
  async receive(withinMs?: number): Promise<Frame> {
    const clock = withinMs === undefined ? undefined : setTimeout(() => this.end("time"), withinMs);
    const next = await this.#answers.next().catch((error: unknown) => {
      this.end("crash");
      this.#words = error instanceof Error ? error.message : "";
      return null;
    });
    clearTimeout(clock);
    if (next?.done === false) return next.value;
    await this.gone;
    throw new SandboxEnded(this.#failure ?? "crash", this.#words.trim());
  }

  /** Watches the process's memory, and kills it on the signal, until the returned function is called. @throws the signal's reason */
  watch(signal: AbortSignal | undefined): () => void {
    signal?.throwIfAborted();
    const leave = () => this.end();
    signal?.addEventListener("abort", leave, { once: true });
    const watch = setInterval(() => void this.#watchMemory(), WATCH_MS);
    this.hold(true);
    return () => {
      clearInterval(watch);
      signal?.removeEventListener("abort", leave);
      this.hold(false);
    };
  }

  /**
   * Watches the process's memory and time while `work` runs.
   * @throws SandboxEnded, the signal's reason, and errors of `work`
   */
  async watched<Result>(ms: number, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const release = this.watch(signal);
    const clock = setTimeout(() => this.end("time"), ms);
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(clock);
      release();
    }
  }

  /**
   * Measures resident memory, because V8's heap limit does not count buffers. Only Linux reports it; elsewhere only the time limit applies.
   */
  async #watchMemory(): Promise<void> {
    const facts = await readFile(`/proc/${this.#child.pid}/statm`, "utf8").catch(() => "");
    const pages = Number(facts.split(" ")[1] ?? 0);
    if (pages * PAGE_BYTES > this.#memoryBytes) this.end("memory");
  }
}
