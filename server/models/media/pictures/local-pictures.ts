/**
 * Recognises text in pictures on this machine, with tesseract in a sandboxed process (docs/decisions/018-untrusted-text.md,
 * docs/decisions/020-voice-and-pictures.md).
 */
import * as z from "zod";
import { ModelFailure } from "#server/models/host/failures.ts";
import { waitForModel } from "#server/models/host/wait-for-model.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { FairScheduler, type SchedulerLimits } from "#server/platform/process/fair-scheduler.ts";
import type { Frame } from "#server/platform/sandbox/frames.ts";
import { type PooledProcess, ProcessPool } from "#server/platform/sandbox/process-pool.ts";
import { SandboxEnded } from "#server/platform/sandbox/sandbox.ts";
import { cutAtWord } from "../cut-at-word.ts";
import type { MediaOutcome, MediaSource, NotRecognized, Recognize } from "../recognizer.ts";
import type { LanguageData } from "./language-data.ts";
import { MAX_PICTURE_BYTES } from "./ocr-limits.ts";
import type { OcrQuestion } from "./ocr-process.ts";
import { readPictureHead } from "./picture-head.ts";

interface PictureLimits {
  /** Maximum width × height after decoding. */
  pixels: number;
  /** Maximum length of one side. */
  side: number;
  readMs: number;
  waitMs: number;
  memoryBytes: number;
  startMs: number;
  idleMs: number;
  /** Number of pictures after which the process is replaced. */
  uses: number;
}

const PICTURE_LIMITS: PictureLimits = {
  pixels: 24e6,
  side: 12_000,
  // The process runs at low priority, so a picture may take long.
  readMs: 120_000,
  waitMs: 120_000,
  memoryBytes: 768 * 1024 ** 2,
  startMs: 30_000,
  idleMs: 60_000,
  uses: 50,
};

const TURNS: SchedulerLimits = {
  ...{ all: 1, perOrganization: 1, perUser: 1 },
  ...{ waitingPerUser: 8, waitingPerOrganization: 8, waiting: 8 },
};
/** The jobs that send pictures already alternate between organisations (docs/decisions/009-process-roles-and-job-scheduling.md). */
const EVERYBODY = { organizationId: "", userId: "" };
const ANSWERS = { headerBytes: 4096, bodyBytes: 4 * 1024 ** 2 };
const PROGRAM = new URL("ocr-process.ts", import.meta.url);

const Answer = z.union([
  z.strictObject({ confidence: z.number().min(0).max(1) }),
  z.strictObject({ unreadable: z.literal(true) }),
]);

export interface LocalPicturesOptions {
  data: LanguageData;
  files: Pick<FileStore, "open">;
  limits?: Partial<PictureLimits>;
  /** Replaced in tests by programs that misbehave. */
  program?: URL;
}

export class LocalPictures {
  readonly #data: LanguageData;
  readonly #files: Pick<FileStore, "open">;
  readonly #limits: PictureLimits;
  readonly #turns = new FairScheduler(TURNS);
  readonly #processes: ProcessPool;

  constructor({ data, files, limits, program = PROGRAM }: LocalPicturesOptions) {
    this.#data = data;
    this.#files = files;
    this.#limits = { ...PICTURE_LIMITS, ...limits };
    const { startMs, idleMs, uses, memoryBytes } = this.#limits;
    const kept = { startMs, idleMs, uses, memoryBytes };
    this.#processes = new ProcessPool({
      ...kept,
      ...{ file: program, answers: ANSWERS, readable: [data.folder], background: true },
    });
  }

  readonly read: Recognize = async ({ source }, { signal, maxChars }) => {
    signal.throwIfAborted();
    try {
      const bytes = await this.#bytesOf(source);
      if (bytes === null) return SAYS.tooLarge;
      const head = readPictureHead(bytes);
      if (head === null) return SAYS.unknown;
      const { width, height, orientation } = head;
      const { pixels, side } = this.#limits;
      if (width * height > pixels || Math.max(width, height) > side) return SAYS.tooManyPixels;
      const release = await waitForModel(this.#turns, { asker: EVERYBODY, signal, waitMs: this.#limits.waitMs });
      try {
        return outcomeOf(await this.#ask({ ...this.#data, orientation }, bytes, signal), maxChars);
      } finally {
        release();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailure) return SAYS.busy;
      if (!(error instanceof SandboxEnded)) return SAYS.unavailable;
      if (error.reason === "time") return SAYS.late;
      return error.reason === "ended" ? SAYS.unavailable : SAYS.damaged;
    }
  };

  end(): void {
    this.#processes.end();
  }

  /** null: the file exceeds the size limit. */
  async #bytesOf(source: MediaSource): Promise<Buffer | null> {
    const size = source.kind === "bytes" ? source.bytes.length : source.bytes;
    if (size > MAX_PICTURE_BYTES) return null;
    if (source.kind === "bytes") return source.bytes;
    const file = await this.#files.open(source.name);
    try {
      if (file.size > MAX_PICTURE_BYTES) return null;
      return await file.read(0, file.size);
    } finally {
      await file.close();
    }
  }

  async #ask(question: OcrQuestion, picture: Buffer, signal: AbortSignal): Promise<Frame> {
    // A reused process may have died because of an earlier picture, so this picture gets another try.
    for (let kept = this.#processes.idlePids.length > 0; ; kept = false) {
      const process: PooledProcess = await this.#processes.take(signal);
      const { sandbox } = process;
      try {
        const answer = await sandbox.watched(this.#limits.readMs, signal, () => {
          sandbox.send(question, [picture]);
          return sandbox.receive();
        });
        this.#processes.keep(process);
        return answer;
      } catch (error) {
        sandbox.end();
        if (!(kept && error instanceof SandboxEnded && error.reason === "crash")) throw error;
      }
    }
  }
}

function outcomeOf({ header, body }: Frame, maxChars: number): MediaOutcome {
  const answer = Answer.safeParse(header).data;
  if (answer === undefined || "unreadable" in answer) return SAYS.damaged;
  const lines = body
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim());
  // Keeps at most one empty line between paragraphs.
  const text = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== "")).join("\n");
  return { ok: true, text: cutAtWord(text.trim(), maxChars), confidence: answer.confidence };
}

const not = (kind: NotRecognized["kind"], message: string): NotRecognized => ({ ok: false, kind, message });

const SAYS = {
  tooLarge: not("too_large", "Картинка больше 25 МБ и не читается."),
  tooManyPixels: not("too_large", "Картинка слишком велика: читаются до 24 мегапикселей."),
  unknown: not("unreadable", "Картинка в незнакомом формате: читаются JPEG, PNG, WebP, GIF и BMP."),
  damaged: not("unreadable", "Картинка повреждена или слишком сложная."),
  late: not("timeout", "Картинка не успела прочитаться: на ней слишком много мелкого."),
  busy: not("busy", "Чтение занято другими картинками, эта подождёт."),
  unavailable: not("unavailable", "Картинку сейчас не прочитать: чтение не отвечает."),
};
