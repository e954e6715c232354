/**
 * A process of its own for what strangers send: bounded memory and time, no network, no secrets, nothing to write to and nothing to read
 * but the program. Its death is a fact that the caller is told, never the server's. Why and what holds where: docs/decisions/038-documents-are-read-apart.md.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { threadEnvironment } from "../config.ts";
import { type Frame, type FrameLimits, framePieces, readFrames } from "./frames.ts";

export interface SandboxOptions {
  /** The program: it calls `answerAll` of inside.ts. */
  file: URL;
  /** Most that it may have in memory at once. */
  memoryBytes: number;
  /** Most of its answers; longer ones end it. */
  answers: FrameLimits;
  /** Files and folders that it may read beside its own program. */
  readable?: readonly string[];
  /** Processor time of its whole life, seconds; 600 unless told. */
  cpuSeconds?: number;
}

export type SandboxFailure = "memory" | "time" | "crash" | "ended";

/** The process has gone, or was sent away, before it had answered. */
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
/** The kernel's own limit counts what V8 reserves for code and never fills. */
const RESERVED_BYTES = 1024 ** 3;
/** Processor time of a whole life: the end of one that nobody is left to watch. */
const CPU_SECONDS = 600;
const KEPT_WORDS = 2000;

const root = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = ["server/", "contract/", "node_modules/", "package.json"].map((path) => `${root}${path}`);
const POSIX = process.platform !== "win32";

/**
 * Limits that the kernel keeps: data, processor time, no files, no core dump; and an end with the server's, however that ends. Each is taken
 * where the system has it.
 */
const LIMITED = `ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -d "$2" 2>/dev/null; shift 2
if setpriv --pdeathsig KILL true 2>/dev/null; then exec setpriv --pdeathsig KILL "$@"; fi
exec "$@"`;

function nodeArguments({ file, readable = [] }: SandboxOptions): string[] {
  const { NODE_COMPILE_CACHE } = threadEnvironment();
  // The cache is the server's own code as well: it is read here and never written.
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
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #answers: AsyncGenerator<Frame, void, void>;
  readonly #memoryBytes: number;
  #failure: SandboxFailure | undefined;
  #alive = true;
  /** What it has said to stderr, until it is asked something: from then on that may be what a person wrote. */
  #words = "";
  #asked = false;

  constructor(options: SandboxOptions) {
    this.#memoryBytes = options.memoryBytes;
    this.#child = launch(options);
    this.#answers = readFrames(this.#child.stdout, options.answers);
    this.#child.stderr.setEncoding("utf8").on("data", (words: string) => {
      if (!this.#asked) this.#words = `${this.#words}${words}`.slice(-KEPT_WORDS);
    });
    // A process that has left cannot be written to; that it has left is told by its end.
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

  /** Whether it keeps the server's process from ending by itself. */
  hold(held: boolean): void {
    const parts = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr] as {
      ref?(): void;
      unref?(): void;
    }[];
    for (const part of parts) held ? part.ref?.() : part.unref?.();
  }

  /** Waits until it has loaded. @throws SandboxEnded */
  async ready(): Promise<void> {
    await this.receive();
  }

  /** Ends it at once. */
  end(reason: SandboxFailure = "ended"): void {
    this.#failure ??= reason;
    this.#child.kill("SIGKILL");
  }

  send(header: unknown, body?: readonly Uint8Array[]): void {
    this.#asked = true;
    for (const piece of framePieces(header, body)) this.#child.stdin.write(piece);
  }

  /**
   * The next answer.
   * @param withinMs it is ended when there is none by then
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

  /** Watches its memory, and ends it with the signal, until the returned function is called. @throws the signal's reason */
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
   * Watches its memory and time while `work` goes on.
   * @throws SandboxEnded, the signal's reason, and whatever `work` throws
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

  /** Buffers lie outside of V8's heap, whose limit does not count them. Linux alone tells; elsewhere time is what ends a hoarder. */
  async #watchMemory(): Promise<void> {
    const facts = await readFile(`/proc/${this.#child.pid}/statm`, "utf8").catch(() => "");
    const pages = Number(facts.split(" ")[1] ?? 0);
    if (pages * PAGE_BYTES > this.#memoryBytes) this.end("memory");
  }
}
