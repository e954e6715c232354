/** Reads a whole backup and checks every digest against the manifest at its end. */
import { createHash, type Hash } from "node:crypto";
import * as z from "zod";
import { type DecryptionKey, readBackupEntries } from "./age-file.ts";
import { damagedBackup, type Entry, pieceName } from "./archive.ts";
import { BackupError } from "./backup-error.ts";
import { type Checksum, Checksums, FILES, FORMAT, Manifest, MasterKeyList, Sequences, TABLES } from "./manifest.ts";

/** Callbacks for the parts, in their order. Until `done`, the backup may turn out to be incomplete. */
interface BackupReader {
  manifest?(manifest: Manifest): Promise<void> | void;
  keys?(keys: Buffer[]): Promise<void> | void;
  sequences?(sequences: Sequences): Promise<void> | void;
  /** Rows of a table, each with a text or null for each column. */
  rows?(table: Manifest["tables"][number], rows: (string | null)[][]): Promise<void> | void;
  /** The next bytes of a file. @param path relative, of plain names */
  file?(path: string, bytes: Buffer, number: number): Promise<void> | void;
}

interface ReadBackup {
  manifest: Manifest;
  sums: Checksums;
}

/** @throws BackupError for a wrong key, a newer format, and a file that is damaged, truncated or incomplete */
export async function readBackup(
  path: string,
  decryptionKey: DecryptionKey,
  reader: BackupReader = {},
): Promise<ReadBackup> {
  let manifest: Manifest | undefined;
  let sums: Checksums | undefined;
  const read = { tables: new Map<string, Counting>(), files: new Map<string, Counting>() };
  for await (const entry of readBackupEntries(path, decryptionKey)) {
    const { name, bytes } = entry;
    if (sums !== undefined) throw damagedBackup();
    if (manifest === undefined) {
      manifest = readManifest(entry);
      await reader.manifest?.(manifest);
    } else if (name === "keys.json") {
      const keys = parsed(MasterKeyList, bytes);
      await reader.keys?.(keys.map((key) => Buffer.from(key, "base64")));
    } else if (name === "sequences.json") {
      const sequences = parsed(Sequences, bytes);
      await reader.sequences?.(sequences);
    } else if (name === "sums.json") sums = parsed(Checksums, bytes);
    else if (name.startsWith(TABLES)) {
      const table = manifest.tables.find(({ name: known }) => name.startsWith(`${TABLES}${known}/`));
      if (table === undefined) throw damagedBackup();
      const rows = rowsOf(bytes, table.columns.length);
      counting(read.tables, table.name, TABLES, entry, rows.length);
      await reader.rows?.(table, rows);
    } else if (name.startsWith(FILES)) {
      const file = name.slice(FILES.length, name.lastIndexOf("/"));
      const number = counting(read.files, file, FILES, entry, 0);
      await reader.file?.(file, bytes, number);
    } else throw damagedBackup();
  }
  if (manifest === undefined || sums === undefined) throw damagedBackup();
  const found: Checksums = {
    tables: Object.fromEntries([...read.tables].map(([name, one]) => [name, sumOf(one)])),
    files: Object.fromEntries(
      [...read.files].map(([name, one]) => {
        const { rows: _, ...sum } = sumOf(one);
        return [name, sum];
      }),
    ),
  };
  if (!isSame(found, sums)) throw damagedBackup();
  return { manifest, sums };
}

function readManifest({ name, bytes }: Entry): Manifest {
  if (name !== "manifest.json") throw damagedBackup();
  const { format } = parsed(z.object({ format: z.number() }), bytes);
  if (format > FORMAT) {
    throw new BackupError("Копию сделала более новая версия программы. Обновите программу и повторите.");
  }
  return parsed(Manifest, bytes);
}

/** Rows, bytes and digest of the part as far as it was read. */
interface Counting {
  rows: number;
  bytes: number;
  pieces: number;
  hash: Hash;
}

/** @returns the number of the piece. @throws BackupError when it is not the next one */
function counting(parts: Map<string, Counting>, part: string, folder: string, entry: Entry, rows: number): number {
  const known = parts.get(part) ?? { rows: 0, bytes: 0, pieces: 0, hash: createHash("sha256") };
  parts.set(part, known);
  if (entry.name !== pieceName(`${folder}${part}`, ++known.pieces)) throw damagedBackup();
  known.rows += rows;
  known.bytes += entry.bytes.length;
  known.hash.update(entry.bytes);
  return known.pieces;
}

const sumOf = ({ rows, bytes, hash }: Counting): Checksum => ({ rows, bytes, sha256: hash.copy().digest("hex") });

const isSame = (a: Checksums, b: Checksums): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = ({ tables, files }: Checksums) => {
  const byName = <T extends { bytes: number; sha256: string }>(all: Record<string, T>) =>
    Object.entries(all)
      .map(([name, sum]) => [name, "rows" in sum ? sum.rows : 0, sum.bytes, sum.sha256] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1));
  return [byName(tables), byName(files)];
};

function rowsOf(bytes: Buffer, columns: number): (string | null)[][] {
  const lines = bytes.toString().split("\n");
  if (lines.pop() !== "") throw damagedBackup();
  try {
    return lines.map((line) => {
      const row: unknown = JSON.parse(line);
      if (!isRow(row) || row.length !== columns) throw damagedBackup();
      return row;
    });
  } catch (error) {
    throw damagedBackup(error);
  }
}

const isRow = (value: unknown): value is (string | null)[] =>
  Array.isArray(value) && value.every((one) => one === null || typeof one === "string");

function parsed<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  try {
    return schema.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw damagedBackup(error);
  }
}
