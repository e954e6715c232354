/**
 * Holds the models in use, each in a process of its own. The rows are read again every few seconds, so that all processes of a server
 * agree. A model that is removed completes its tasks first, and no reply is lost.
 */
import { and, eq, or } from "drizzle-orm";
import { ModelHost, type ModelHostOptions } from "#server/models/host/model-host.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { Log } from "#server/platform/log.ts";
import { BASE_BYTES, maxMemoryBytes } from "./model-memory.ts";
import { loadable, type ModelRow } from "./model-rows.ts";

interface RegistryDeps {
  db: Database;
  config: Pick<Config, "dataDir" | "modelRunning">;
  log: Log;
  /** Replaced in tests by programs that misbehave. */
  host?: Partial<Pick<ModelHostOptions, "program" | "limits">>;
}

/** Milliseconds for which the rows' contents are cached. */
const READ_MS = 3000;

export class ModelRegistry {
  readonly #deps: RegistryDeps;
  readonly #hosts = new Map<string, ModelHost>();
  #rows: ModelRow[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the ready chat models in use: the one chosen for all, and those that organisations may choose. Call it outside any transaction.
   */
  async answering(): Promise<readonly ModelRow[]> {
    if (performance.now() - this.#readAt > READ_MS) {
      this.#reading ??= this.refresh().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    return this.#rows;
  }

  /** Reads the rows again and retires models that are no longer in use. */
  async refresh(): Promise<void> {
    this.#rows = await this.#deps.db
      .select()
      .from(localModels)
      .where(
        and(eq(localModels.kind, "chat"), eq(localModels.state, "ready"), or(localModels.chosen, localModels.allowed)),
      )
      .orderBy(localModels.createdAt);
    this.#readAt = performance.now();
    const kept = new Set(this.#rows.map(({ id }) => id));
    for (const [id, host] of this.#hosts) if (!kept.has(id)) void host.retire();
  }

  /** Returns the process of a model; it starts with the first task. */
  hostOf(row: ModelRow): ModelHost {
    let host = this.#hosts.get(row.id);
    if (host === undefined) {
      host = this.open(row);
      this.#hosts.set(row.id, host);
    }
    if (this.#rows.some(({ id }) => id === row.id)) host.keep();
    return host;
  }

  answeringHost(id: string): ModelHost | undefined {
    return this.#rows.some((row) => row.id === id) ? this.#hosts.get(id) : undefined;
  }

  /** Returns a separate process that serves no other requests; the caller ends it. */
  open(row: ModelRow): ModelHost {
    const { config, log, host } = this.#deps;
    // Speech models have a separate program (server/models/media/speech).
    if (row.kind === "speech") throw new Error("a speech model is not asked as a language model is");
    const { threads, contextTokens: most } = config.modelRunning;
    const { path, contextTokens, ...facts } = loadable(row, config.dataDir, most);
    const load = { generator: null, embedder: null, reranker: null, threads };
    const part = ({ chat: "generator", embedder: "embedder", reranker: "reranker" } as const)[row.kind];
    return new ModelHost({
      load: { ...load, [part]: { path, contextTokens } },
      memoryBytes: BASE_BYTES + maxMemoryBytes(facts, contextTokens),
      log,
      ...host,
    });
  }

  /** Stops accepting requests; resolves when the process has exited after all its unfinished work. */
  async letGo(id: string): Promise<void> {
    await this.refresh();
    const host = this.#hosts.get(id);
    await host?.retire();
    this.#hosts.delete(id);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.end()));
  }
}
