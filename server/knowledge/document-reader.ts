/** Reads uploaded files in worker threads with bounded memory and time. */
import { Piscina } from "piscina";
import { Problem, unprocessable } from "#server/errors.ts";
import type { DocumentText } from "./read-document.ts";
import type { ReadOutcome } from "./read-document-worker.ts";

const LONGEST_MS = 60_000;

let pool: Piscina<{ name: string; bytes: Uint8Array }, ReadOutcome> | undefined;

/**
 * @param bytes handed over to the worker: not usable afterwards
 * @throws Problem 413, 415, 422 as `readDocument`; 422 as well for a file that takes too much time or memory
 */
export async function readInWorker(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<DocumentText> {
  pool ??= new Piscina({
    filename: new URL("read-document-worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  let outcome: ReadOutcome;
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    outcome = await pool.run({ name, bytes }, { signal, transferList: [bytes.buffer] });
  } catch (cause) {
    throw unprocessable("document_unreadable", "Файл слишком сложный: сохраните его как текст", { cause });
  }
  if ("document" in outcome) return outcome.document;
  const { status, code, message, detail } = outcome.problem;
  throw new Problem(status, code, message, detail === undefined ? {} : { detail });
}
