/** Reads and splits documents in worker threads with bounded memory and time. */
import { Piscina } from "piscina";
import { threadEnvironment } from "#server/config.ts";
import { Problem, unprocessable } from "#server/errors.ts";
import type { ReadOutcome } from "./document-worker.ts";
import type { DocumentText } from "./read-document.ts";
import { type Passage, splitPassages } from "./split-passages.ts";

const LONGEST_READ_MS = 60_000;
/** A shorter text is split in a few milliseconds, sooner than a thread begins. */
const SHORT_TEXT = 20_000;

let pool: Piscina | undefined;

function threads(): Piscina {
  pool ??= new Piscina({
    filename: new URL("document-worker.ts", import.meta.url).href,
    env: threadEnvironment(),
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return pool;
}

/**
 * @param bytes handed over to the thread: not usable afterwards
 * @throws Problem 413, 415, 422 as `readDocument`; 422 as well for a file that takes too much time or memory
 */
export async function readInThread(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<DocumentText> {
  let outcome: ReadOutcome;
  try {
    const signal = AbortSignal.timeout(LONGEST_READ_MS);
    outcome = await threads().run({ name, bytes }, { name: "read", signal, transferList: [bytes.buffer] });
  } catch (cause) {
    throw unprocessable("document_unreadable", "Файл слишком сложный: сохраните его как текст", { cause });
  }
  if ("document" in outcome) return outcome.document;
  const { status, code, message, detail } = outcome.problem;
  throw new Problem(status, code, message, detail === undefined ? {} : { detail });
}

export async function splitInThread(text: string, signal: AbortSignal): Promise<Passage[]> {
  if (text.length <= SHORT_TEXT) return splitPassages(text);
  return threads().run(text, { name: "split", signal });
}
