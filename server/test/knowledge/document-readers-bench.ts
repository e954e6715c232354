/** Documents that are read in processes of their own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { DocumentReaders, type ReaderLimits } from "#server/knowledge/documents/document-readers.ts";

export const MEGABYTE = 1024 ** 2;
const samples = join(import.meta.dirname, "../../knowledge/documents/samples");
export const rules = () => readFileSync(join(samples, "rules.pdf"));
const opened: DocumentReaders[] = [];

export function readersWith(limits: Partial<ReaderLimits> = {}, program?: URL): DocumentReaders {
  const readers = program === undefined ? new DocumentReaders(limits) : new DocumentReaders(limits, program);
  opened.push(readers);
  return readers;
}

export const BOUND = 256 * MEGABYTE;
export const shared = new DocumentReaders({ memoryBytes: BOUND, readMs: 20_000 });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareReaders(): void {
  afterEach(() => {
    for (const readers of opened.splice(0)) readers.end();
  });
  afterAll(() => shared.end());
}
