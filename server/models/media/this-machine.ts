/**
 * What this machine recognises locally (docs/decisions/020-voice-and-pictures.md): recordings with the speech model that the screen
 * «Модель» or a folder beside the data chooses, and pictures if tesseract's Russian data is installed.
 */

import { availableParallelism } from "node:os";
import { and, eq } from "drizzle-orm";
import { BASE_BYTES, maxMemoryBytes } from "#server/models/local/model-memory.ts";
import { speechPath } from "#server/models/local/model-rows.ts";
import { NotSpeechModel, readSpeechFolder } from "#server/models/local/speech-folder.ts";
import { type Config, ConfigError } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Log } from "#server/platform/log.ts";
import type { LocalMedia } from "./local-media.ts";
import { findLanguageData } from "./pictures/language-data.ts";
import { LocalPictures } from "./pictures/local-pictures.ts";
import type { Recognize } from "./recognizer.ts";
import { localSpeech } from "./speech/local-speech.ts";
import { SpeechHost } from "./speech/speech-host.ts";

interface LocalMediaDeps {
  config: Pick<Config, "dataDir" | "media" | "modelRunning">;
  db: Database;
  files: Pick<FileStore, "open" | "localPath">;
  log: Log;
}

interface Speech {
  folder: string;
  host: SpeechHost;
  recognize: Recognize;
}

/** Milliseconds for which the choice is cached, and after which an administrator's change applies at the latest. */
const READ_MS = 3000;

/** @throws ConfigError when the folder beside the data contains no speech model */
export async function openLocalMedia(deps: LocalMediaDeps): Promise<LocalMedia> {
  const { config, log } = deps;
  const data = findLanguageData(config.media.ocrData);
  const { ocrData } = config.media;
  if (data === null && ocrData !== null) throw new ConfigError(`В папке ${ocrData} нет rus.traineddata`);
  const pictures = data === null ? null : new LocalPictures({ data, files: deps.files });
  const speech = new ChosenSpeech(deps);
  await speech.refresh();
  return {
    recognizer(kind) {
      if (kind === "picture") return pictures?.read ?? null;
      speech.refresh().catch((error: unknown) => log.warn({ err: error }, "the chosen speech model was not read"));
      return speech.now?.recognize ?? null;
    },
    async close() {
      pictures?.end();
      await speech.end();
    },
  };
}

class ChosenSpeech {
  readonly #deps: LocalMediaDeps;
  now: Speech | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  #ended = false;

  constructor(deps: LocalMediaDeps) {
    this.#deps = deps;
  }

  /** Reads the choice again, unless the cached one is recent. */
  refresh(): Promise<void> {
    if (this.#ended || performance.now() - this.#readAt < READ_MS) return Promise.resolve();
    this.#reading ??= this.#read().finally(() => {
      this.#readAt = performance.now();
      this.#reading = null;
    });
    return this.#reading;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#reading;
    await this.now?.host.end();
  }

  async #read(): Promise<void> {
    const folder = await this.#folder();
    if (folder === (this.now?.folder ?? null)) return;
    const before = this.now;
    this.now = folder === null ? null : await this.#open(folder);
    // A recording in progress is retried with the new model.
    await before?.host.end();
  }

  async #folder(): Promise<string | null> {
    const { config, db } = this.#deps;
    if (config.media.speechModel !== null) return config.media.speechModel;
    const [row] = await db
      .select({ storedName: localModels.storedName })
      .from(localModels)
      .where(and(eq(localModels.kind, "speech"), eq(localModels.chosen, true), eq(localModels.state, "ready")));
    return row === undefined ? null : speechPath(config.dataDir, row.storedName);
  }

  /** null: the files are missing or damaged. @throws ConfigError for the folder beside the data */
  async #open(folder: string): Promise<Speech | null> {
    const { config, files, log } = this.#deps;
    try {
      const { model, bytes } = await readSpeechFolder(folder);
      const threads = config.modelRunning.threads ?? Math.max(1, availableParallelism() - 1);
      const memoryBytes = BASE_BYTES + maxMemoryBytes({ bytes, tokenBytes: 0 }, 0);
      const host = new SpeechHost({ load: { model, threads }, memoryBytes, log });
      return { folder, host, recognize: localSpeech({ host, kind: model.kind, files }) };
    } catch (error) {
      if (!(error instanceof NotSpeechModel)) throw error;
      if (config.media.speechModel !== null) throw new ConfigError(`В папке ${folder} нет модели распознавания речи`);
      log.error({ err: error }, "the chosen speech model cannot be used");
      return null;
    }
  }
}
