/** Sandboxed processes of one program: started when one is needed, kept a while, renewed after some uses. */
import { Sandbox, type SandboxOptions } from "./sandbox.ts";

export interface KeptProcessOptions extends SandboxOptions {
  /** For a process to load. */
  startMs: number;
  /** A process without work is kept so long. */
  idleMs: number;
  /** What one process is used for before a new one takes its place. */
  uses: number;
}

export interface KeptProcess {
  sandbox: Sandbox;
  uses: number;
  idle?: NodeJS.Timeout;
}

export class KeptProcesses {
  readonly #options: KeptProcessOptions;
  readonly #idle: KeptProcess[] = [];

  constructor(options: KeptProcessOptions) {
    this.#options = options;
  }

  get idlePids(): (number | undefined)[] {
    return this.#idle.map(({ sandbox }) => sandbox.pid);
  }

  /** One that was kept, or a new one. @throws SandboxEnded when it does not load; the signal's reason */
  async take(signal: AbortSignal | undefined): Promise<KeptProcess> {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.idle);
      if (kept.sandbox.alive) return kept;
    }
    const sandbox = new Sandbox(this.#options);
    try {
      await sandbox.watched(this.#options.startMs, signal, () => sandbox.ready());
    } catch (cause) {
      sandbox.end();
      throw cause;
    }
    return { sandbox, uses: 0 };
  }

  /** For its next use, after the answer to this one. */
  keep(process: KeptProcess): void {
    process.uses++;
    const { sandbox } = process;
    if (process.uses >= this.#options.uses) {
      sandbox.end();
      return;
    }
    process.idle = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(process), 1);
      sandbox.end();
    }, this.#options.idleMs).unref();
    this.#idle.push(process);
  }

  /** Ends those that nobody uses. */
  end(): void {
    for (const { sandbox, idle } of this.#idle.splice(0)) {
      clearTimeout(idle);
      sandbox.end();
    }
  }
}
