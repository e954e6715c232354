/**
 * The models that answer now, each in a process of its own. Which they are is read from the rows again every few seconds, so that all
 * processes of a server agree; one that was taken off ends when its turns do, and no reply is lost.
 */
import { and, eq, or } from "drizzle-orm";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { Log } from "#server/platform/log.ts";
import { loadable, type ModelRow } from "./files/model-rows.ts";
import { ModelHost, type ModelHostOptions } from "./model-host.ts";
import { adapterBytes, BASE_BYTES, maxMemoryBytes } from "./model-memory.ts";

interface RegistryDeps {
  db: Database;
  config: Pick<Config, "dataDir" | "modelRunning">;
  log: Log;
  /** Tests have programs that misbehave. */
  host?: Partial<Pick<ModelHostOptions, "program" | "limits">>;
}

/** What was read counts for so long. */
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

  /** Ready chat models that may answer: the one chosen for all, and those that organisations may choose. Call it outside any transaction. */
  async answering(): Promise<readonly ModelRow[]> {
    if (performance.now() - this.#readAt > READ_MS) {
      this.#reading ??= this.refresh().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    return this.#rows;
  }

  /** Reads anew which models answer, and lets go of those that do not any more. */
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

  /** The process of a model; it begins with the first task. */
  hostOf(row: ModelRow): ModelHost {
    let host = this.#hosts.get(row.id);
    if (host === undefined) {
      host = this.open(row);
      this.#hosts.set(row.id, host);
    }
    if (this.#rows.some(({ id }) => id === row.id)) host.keep();
    return host;
  }

  /** The process that answers with it now, if one does. */
  answeringHost(id: string): ModelHost | undefined {
    return this.#rows.some((row) => row.id === id) ? this.#hosts.get(id) : undefined;
  }

  /** A separate process that takes no other requests; its opener ends it. */
  open(row: ModelRow): ModelHost {
    const { config, log, host } = this.#deps;
    // It has a program of its own (server/models/media/speech).
    if (row.kind === "speech") throw new Error("a speech model is not asked as a language model is");
    const { threads, contextTokens: most } = config.modelRunning;
    const { path, contextTokens, ...facts } = loadable(row, config.dataDir, most);
    const load = { generator: null, embedder: null, reranker: null, threads };
    const part = ({ chat: "generator", embedder: "embedder", reranker: "reranker" } as const)[row.kind];
    return new ModelHost({
      load: { ...load, [part]: { path, contextTokens } },
      memoryBytes:
        BASE_BYTES +
        maxMemoryBytes(facts, contextTokens) +
        (row.kind === "chat" ? adapterBytes(facts, contextTokens) : 0),
      log,
      ...host,
    });
  }

  /** It takes no more requests; resolves when its process has ended, after all work under way. */
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
