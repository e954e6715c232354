/** A pool of sandboxed processes of one program: started on demand, kept for a while and replaced after some uses. */
import { Sandbox, type SandboxOptions } from "./sandbox.ts";

interface ProcessPoolOptions extends SandboxOptions {
  startMs: number;
  idleMs: number;
  uses: number;
}

export interface PooledProcess {
  sandbox: Sandbox;
  uses: number;
  idle?: NodeJS.Timeout;
}

export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #idle: PooledProcess[] = [];

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  get idlePids(): (number | undefined)[] {
    return this.#idle.map(({ sandbox }) => sandbox.pid);
  }

  /** Takes an idle process or starts one. @throws SandboxEnded when it does not load; the signal's reason */
  async take(signal: AbortSignal | undefined): Promise<PooledProcess> {
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

  keep(process: PooledProcess): void {
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

  end(): void {
    for (const { sandbox, idle } of this.#idle.splice(0)) {
      clearTimeout(idle);
      sandbox.end();
    }
  }
}
