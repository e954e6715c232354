/** Exports that are read in another process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ExportReader } from "#server/imports/export-reader/export-reader.ts";
import { openLocalFile } from "#server/platform/files/folder-store.ts";

export const signal: AbortSignal = new AbortController().signal;
export const onwards = async () => true;

let folder: string;
export const reader = new ExportReader();

export const stored = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { open: () => openLocalFile(path), name, label: null };
};

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareExportReader(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "dt-exports-"));
  });
  afterAll(() => {
    reader.end();
    rmSync(folder, { recursive: true });
  });
}
