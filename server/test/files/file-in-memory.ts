import type { ExportFile } from "#server/imports/export-reader/export-file.ts";

export const fileInMemory = (bytes: Buffer): ExportFile => ({
  size: bytes.length,
  read: async (at, length) => bytes.subarray(at, at + length),
});
