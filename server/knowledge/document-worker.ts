/** Runs in a worker thread: a hostile PDF or a text of half a million characters must not stop the loop that answers requests. */
import { Problem } from "#server/errors.ts";
import { type DocumentText, readDocument } from "./read-document.ts";
import { type Passage, splitPassages } from "./split-passages.ts";

/** Errors cross threads as plain values: a Problem would arrive without its class. */
export type ReadOutcome =
  | { document: DocumentText }
  | { problem: { status: number; code: string; message: string; detail?: string } };

export async function read({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<ReadOutcome> {
  try {
    return { document: await readDocument({ name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message, cause } = error;
    const detail = error.detail ?? (cause instanceof Error ? cause.message : undefined);
    return { problem: { status, code, message, ...(detail === undefined ? {} : { detail }) } };
  }
}

export const split = (text: string): Passage[] => splitPassages(text);
