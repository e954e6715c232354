/**
 * Runs this process's downloads. A row describes each download, and one process holds it for a few seconds at a time. After a crash the
 * hold expires, and another process resumes after the received bytes.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { ModelHubConfig } from "#server/platform/config.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import type { Log } from "#server/platform/log.ts";
import { catalogueModel } from "./catalogue/catalogue.ts";
import { type FetchTimes, fetchFile } from "./download/fetch-file.ts";
import { bytesOf, findHubFile, findHubParts, type HubFile, type HubPart } from "./download/find-file.ts";
import { HubFailure, RESUMABLE_PROBLEMS } from "./download/hub-failures.ts";
import { hubRequests } from "./download/hub-requests.ts";
import { Speed } from "./download/speed.ts";
import type { ModelProblem } from "./files/problems.ts";
import { type VerifiedModel, verifyFile, verifySpeech } from "./files/verify-file.ts";
import { thisMachine } from "./model-memory.ts";
import { getModel, type ModelRow, makeFolder, partPath, removeModelFiles } from "./model-rows.ts";

interface DownloadDeps {
  database: OpenDatabase;
  config: { dataDir: string; modelHub: ModelHubConfig; modelRunning: { contextTokens: number } };
  disk: Disk;
  /** Chooses a downloaded model that the administrator asked for. @throws when it may not be chosen */
  choose: (id: string) => Promise<void>;
  log: Log;
}

interface Running {
  stopping: AbortController;
  done: Promise<void>;
  speed: Speed;
}

/** Milliseconds that a hold lasts; the process renews it three times within this period. */
const HOLD_MS = 12_000;
/** Milliseconds between searches for downloads whose holds have expired. */
const LOOK_MS = 15_000;

/** Thrown to stop a download; received bytes are kept. */
class Stopped extends Error {}

export class ModelDownloads {
  readonly #deps: DownloadDeps;
  readonly #times: Partial<FetchTimes>;
  readonly #running = new Map<string, Running>();
  readonly #look: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(deps: DownloadDeps, times: Partial<FetchTimes> = {}) {
    this.#deps = deps;
    this.#times = times;
    // No other process can use an embedded database, so only a shared one can have abandoned downloads.
    if (deps.database.kind !== "embedded") {
      this.#look = setInterval(() => {
        this.resume().catch((error: unknown) => deps.log.warn({ err: error }, "downloads were not looked at"));
      }, LOOK_MS).unref();
    }
  }

  /** Returns bytes per second; null: the download does not run in this process, or has just begun. */
  speedOf(id: string): number | null {
    return this.#running.get(id)?.speed.now() ?? null;
  }

  begin(id: string): void {
    if (this.#ended) return;
    const before = this.#running.get(id);
    if (before !== undefined) {
      // The previous run was asked to stop and has not finished stopping, so the new one starts after it.
      if (before.stopping.signal.aborted) void before.done.then(() => this.begin(id));
      return;
    }
    const stopping = new AbortController();
    const speed = new Speed();
    const done = this.#run(id, stopping, speed)
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error, model: id }, "a model's download failed");
      })
      .finally(() => this.#running.delete(id));
    this.#running.set(id, { stopping, done, speed });
  }

  /** Stops the download in this process; the caller has already changed its row. */
  async stop(id: string): Promise<void> {
    const running = this.#running.get(id);
    running?.stopping.abort(new Stopped());
    await running?.done;
  }

  /**
   * Resumes downloads that no process holds. @param started whether this process has just started: holds in an embedded database are void
   * then
   */
  async resume(started = false): Promise<void> {
    const { db, kind } = this.#deps.database;
    const anew = started && kind === "embedded";
    // The process that downloaded these models was killed before it could choose them.
    await this.#chooseWanted();
    const rows = await db
      .select({ id: localModels.id })
      .from(localModels)
      .where(and(eq(localModels.state, "downloading"), anew ? undefined : FREE));
    if (anew) await db.update(localModels).set({ heldUntil: null }).where(eq(localModels.state, "downloading"));
    for (const { id } of rows) this.begin(id);
  }

  /** Called when the server stops; unfinished downloads resume at the next start. */
  async end(): Promise<void> {
    this.#ended = true;
    clearInterval(this.#look);
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }

  async #run(id: string, stopping: AbortController, speed: Speed): Promise<void> {
    const { db } = this.#deps.database;
    const { signal } = stopping;
    const [held] = await db
      .update(localModels)
      .set({ heldUntil: inHold(), problem: null })
      .where(and(eq(localModels.id, id), eq(localModels.state, "downloading"), FREE))
      .returning();
    if (held === undefined) return;
    let received = held.received;
    let renewed = Promise.resolve();
    const renew = async () => {
      const [kept] = await db
        .update(localModels)
        .set({ heldUntil: inHold(), received })
        .where(and(eq(localModels.id, id), eq(localModels.state, "downloading")))
        .returning({ id: localModels.id });
      // Another process has paused or deleted the download.
      if (kept === undefined) stopping.abort(new Stopped());
    };
    const timer = setInterval(() => {
      renewed = renew().catch((error: unknown) => {
        this.#deps.log.warn({ err: error, model: id }, "a download's hold was not renewed");
      });
    }, HOLD_MS / 3);
    let begun = false;
    const progress = (bytes: number) => {
      // Bytes from an earlier run do not count towards the present speed.
      if (begun) speed.add(bytes - received);
      begun = true;
      received = bytes;
    };
    const outcome = await this.#bring(held, signal, progress).catch((error: unknown) => {
      const problem = problemOf(error, signal);
      if (problem === "broken-off") this.#deps.log.error({ err: error, model: id }, "a model's download failed");
      return problem;
    });
    clearInterval(timer);
    await renewed;
    if (typeof outcome === "string" && !RESUMABLE_PROBLEMS.has(outcome))
      await removeModelFiles(this.#deps.config.dataDir, held.storedName);
    await this.#note(id, outcome, received);
  }

  /** Downloads and verifies a model. @returns the problem with the file, or its facts */
  async #bring(row: ModelRow, signal: AbortSignal, onProgress: (bytes: number) => void) {
    const { config, disk, database } = this.#deps;
    if (row.kind === "speech") return this.#bringParts(row, signal, onProgress);
    const hub = hubRequests(config.modelHub);
    const file = await this.#fileOf(row, signal);
    await makeFolder(config.dataDir);
    await fetchFile({
      hub,
      file,
      path: partPath(config.dataDir, row.storedName),
      signal,
      onProgress,
      leaveFree: (bytes) => disk.leaveFree(bytes),
      times: this.#times,
    });
    // Applies a pause or deletion that was requested in the meantime.
    await getModel(database.db, row.id);
    signal.throwIfAborted();
    return verifyFile({
      dataDir: config.dataDir,
      storedName: row.storedName,
      kind: row.kind,
      fileName: file.path,
      machine: thisMachine(),
      most: config.modelRunning.contextTokens,
    });
  }

  /** Downloads a model of several files, one after the other, into a folder. */
  async #bringParts(row: ModelRow, signal: AbortSignal, onProgress: (bytes: number) => void) {
    const { config, disk, database } = this.#deps;
    const { dataDir } = config;
    const { repo, revision, parts } = await this.#partsOf(row, signal);
    await makeFolder(dataDir);
    const folder = partPath(dataDir, row.storedName);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let before = 0;
    for (const { name, ...part } of parts) {
      await fetchFile({
        hub: hubRequests(config.modelHub),
        file: { repo, revision, ...part },
        path: join(folder, name),
        signal,
        onProgress: (received) => onProgress(before + received),
        leaveFree: (bytes) => disk.leaveFree(bytes),
        times: this.#times,
      });
      before += part.bytes;
    }
    await getModel(database.db, row.id);
    signal.throwIfAborted();
    return verifySpeech({ dataDir, storedName: row.storedName, machine: thisMachine() });
  }

  /** Returns the files that the download began with, or else those that the hub has now. */
  async #partsOf(row: ModelRow, signal: AbortSignal): Promise<{ repo: string; revision: string; parts: HubPart[] }> {
    const model = row.catalogueId === null ? undefined : catalogueModel(row.catalogueId);
    if (model?.parts === undefined) throw new HubFailure("not-found");
    const { repo, parts: wanted, bytes } = model;
    if (row.revision !== null && row.parts !== null) return { repo, revision: row.revision, parts: row.parts };
    const found = await findHubParts(hubRequests(this.#deps.config.modelHub), { repo, parts: wanted, bytes }, signal);
    await this.#deps.database.db
      .update(localModels)
      .set({ ...found, bytes: bytesOf(found.parts) })
      .where(eq(localModels.id, row.id));
    return { repo, ...found };
  }

  /** Returns the file that the download began with, or else the one that the hub has now. */
  async #fileOf(row: ModelRow, signal: AbortSignal): Promise<HubFile> {
    const model = row.catalogueId === null ? undefined : catalogueModel(row.catalogueId);
    if (model?.quantisation === undefined) throw new HubFailure("not-found");
    const { quantisation } = model;
    const { revision, path, sha256, bytes } = row;
    if (revision !== null && path !== null && sha256 !== null && bytes !== null)
      return { repo: model.repo, revision, path, sha256, bytes };
    const file = await findHubFile(hubRequests(this.#deps.config.modelHub), { ...model, quantisation }, signal);
    const found = { revision: file.revision, path: file.path, sha256: file.sha256, bytes: file.bytes };
    await this.#deps.database.db.update(localModels).set(found).where(eq(localModels.id, row.id));
    return file;
  }

  /**
   * Chooses downloaded models that the administrator asked for. A model that no longer fits into memory stays unchosen, and the screen
   * offers it.
   */
  async #chooseWanted(): Promise<void> {
    const { database, choose, log } = this.#deps;
    const ready = await database.db
      .select({ id: localModels.id })
      .from(localModels)
      .where(and(eq(localModels.state, "ready"), localModels.wanted));
    for (const { id } of ready) {
      await choose(id).catch(async (error: unknown) => {
        log.warn({ err: error, model: id }, "a wanted model was not chosen");
        await database.db.update(localModels).set({ wanted: false }).where(eq(localModels.id, id));
      });
    }
  }

  async #note(id: string, outcome: VerifiedModel | ModelProblem | Stopped, received: number): Promise<void> {
    const { db } = this.#deps.database;
    if (outcome instanceof Stopped) {
      await db.update(localModels).set({ heldUntil: null, received }).where(eq(localModels.id, id));
      return;
    }
    const changes =
      typeof outcome === "string"
        ? { state: "failed" as const, problem: outcome, ...(RESUMABLE_PROBLEMS.has(outcome) ? { received } : ANEW) }
        : { state: "ready" as const, problem: null, received, ...outcome };
    await db
      .update(localModels)
      .set({ heldUntil: null, updatedAt: sql`now()`, ...changes })
      .where(and(eq(localModels.id, id), eq(localModels.state, "downloading")));
    if (typeof outcome !== "string") await this.#chooseWanted();
    this.#deps.log.info({ model: id, outcome: typeof outcome === "string" ? outcome : "ready" }, "a download ended");
  }
}

/** The database's clock is used, because several machines may share the row. */
const inHold = () => sql`now() + make_interval(secs => ${HOLD_MS / 1000})`;
const FREE = or(isNull(localModels.heldUntil), lt(localModels.heldUntil, sql`now()`));

/** Resets a row, so that the download asks the hub for the file again. */
const ANEW = { received: 0, revision: null, path: null, sha256: null, bytes: null, parts: null };

function problemOf(error: unknown, signal: AbortSignal): ModelProblem | Stopped {
  if (signal.aborted || error instanceof Stopped) return new Stopped();
  if (error instanceof HubFailure) return error.problem;
  if (error instanceof Problem && error.code === "no_space") return "no-space";
  if (error instanceof Problem && error.status === 404) return new Stopped();
  return "broken-off";
}
