/** Writes a backup, verifies it and then renames it, so that its final name is a complete file or absent. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ClientBase } from "pg";
import type { StorageConfig } from "#server/platform/config/storage-config.ts";
import type { BackupConfig } from "#server/platform/config.ts";
import { type EncryptedBackup, encryptBackup } from "./age-file.ts";
import { type Entry, PIECE_BYTES, pieceName } from "./archive.ts";
import { BackupError } from "./backup-error.ts";
import { beginSnapshot, dumpTable, endSnapshot, readSnapshot, type Snapshot } from "./dump-database.ts";
import { dropLinks, filesUnder, linkUploads } from "./linked-uploads.ts";
import { type Checksums, FILES, FORMAT, type Manifest, TABLES } from "./manifest.ts";
import { readBackup } from "./read-backup.ts";
import { objectFiles, type SnapshotFile, withObjectDeletionPaused } from "./stored-objects.ts";

interface BackupSource {
  client: ClientBase;
  engine: "embedded" | "postgres";
  dataDir: string;
  /** Where files are stored; null: in `dataDir`. */
  storage: StorageConfig | null;
  /** The master keys, with the one that encrypts new values first. */
  masterKeys: readonly Buffer[];
  product: string;
}

export interface WriteOptions {
  lock: Pick<BackupConfig, "passphrase" | "recipient" | "identity">;
  /** Reports the progress, in Russian. */
  say(line: string): void;
  signal?: AbortSignal;
}

export interface WrittenBackup {
  bytes: number;
  seconds: number;
  rows: number;
  files: number;
  /** Names of local models, whose files are not included. */
  models: string[];
}

const SAY_MS = 2000;

/**
 * @param file must not exist
 * @throws BackupError; an AbortError when `signal` ended it. Both leave nothing behind
 */
export async function writeBackup(source: BackupSource, file: string, options: WriteOptions): Promise<WrittenBackup> {
  const began = Date.now();
  if (await isThere(file)) throw new BackupError(`Файл ${file} уже есть: назовите другой.`);
  const part = `${file}.part`;
  const links = join(source.dataDir, `backup-uploads-${process.pid}`);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const write = () => writePart(source, part, links, options);
    const made = source.storage === null ? await write() : await withObjectDeletionPaused(source.client, write);
    options.say("Читаю копию заново…");
    const read = await readBackup(part, made.decryptionKey);
    options.signal?.throwIfAborted();
    if (JSON.stringify(read.manifest) !== JSON.stringify(made.manifest)) throw new Error("another manifest was read");
    await rename(part, file);
    await syncFolder(dirname(file));
    const rows = Object.values(read.sums.tables).reduce((sum, table) => sum + table.rows, 0);
    const { size: bytes } = await stat(file);
    const files = Object.keys(read.sums.files).length;
    return { bytes, seconds: (Date.now() - began) / 1000, rows, files, models: made.manifest.models };
  } catch (error) {
    // This also fails in a folder that the server cannot write to; the first error is the one reported.
    await rm(part, { force: true }).catch(() => {});
    throw placeFault(error, file);
  } finally {
    await dropLinks(links);
  }
}

async function writePart(
  source: BackupSource,
  part: string,
  links: string,
  { lock, say, signal }: WriteOptions,
): Promise<{ manifest: Manifest; decryptionKey: EncryptedBackup["decryptionKey"] }> {
  const { client, storage } = source;
  if (storage === null) await linkUploads(source.dataDir, links);
  await beginSnapshot(client);
  try {
    const snapshot = await readSnapshot(client);
    if (storage === null) await linkUploads(source.dataDir, links);
    const files = storage === null ? await linkedFiles(links) : await objectFiles(client, storage, say);
    const manifest = manifestOf(source, snapshot);
    const { bytes, decryptionKey } = await encryptBackup(entriesOf(source, { snapshot, manifest, files, say }), lock);
    const target = createWriteStream(part, { mode: 0o600, flush: true });
    await pipeline(bytes, target, { ...(signal && { signal }) });
    return { manifest, decryptionKey };
  } finally {
    await endSnapshot(client);
  }
}

function manifestOf({ product, engine }: BackupSource, { migrations, tables, models }: Snapshot): Manifest {
  const named = tables.map(({ name, columns }) => ({ name, columns }));
  return { format: FORMAT, product, engine, at: new Date().toISOString(), migrations, tables: named, models };
}

interface Contents {
  snapshot: Snapshot;
  manifest: Manifest;
  files: readonly SnapshotFile[];
  say(line: string): void;
}

async function* entriesOf(
  { client, masterKeys }: BackupSource,
  { snapshot, manifest, files, say }: Contents,
): AsyncGenerator<Entry> {
  const sums: Checksums = { tables: {}, files: {} };
  const json = (name: string, value: unknown): Entry => ({ name, bytes: Buffer.from(JSON.stringify(value)) });
  yield json("manifest.json", manifest);
  yield json(
    "keys.json",
    masterKeys.map((key) => key.toString("base64")),
  );
  const all = snapshot.tables.reduce((sum, { rows }) => sum + rows, 0);
  const tell = throttled(say);
  let written = 0;
  for (const table of snapshot.tables) {
    const hash = createHash("sha256");
    let [rows, length, pieces] = [0, 0, 0];
    for await (const piece of dumpTable(client, table)) {
      rows += piece.rows;
      written += piece.rows;
      length += piece.bytes.length;
      hash.update(piece.bytes);
      yield { name: pieceName(`${TABLES}${table.name}`, ++pieces), bytes: piece.bytes };
      tell(`Строк: ${written} из ${all}`);
    }
    if (pieces > 0) sums.tables[table.name] = { rows, bytes: length, sha256: hash.digest("hex") };
  }
  yield json("sequences.json", snapshot.sequences);
  for (const [at, { path, pieces: content }] of files.entries()) {
    const hash = createHash("sha256");
    let [length, pieces] = [0, 0];
    for await (const bytes of content()) {
      length += bytes.length;
      hash.update(bytes);
      yield { name: pieceName(`${FILES}${path}`, ++pieces), bytes };
    }
    sums.files[path] = { bytes: length, sha256: hash.digest("hex") };
    tell(`Файлов: ${at + 1} из ${files.length}`);
  }
  yield json("sums.json", sums);
}

const linkedFiles = async (links: string): Promise<SnapshotFile[]> =>
  (await filesUnder(links)).map((path) => ({ path, pieces: () => piecesOf(join(links, path)) }));

/** Yields at least one piece, because an empty file needs an entry. A growing file is read up to its size when it was opened. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    let left = (await file.stat()).size;
    do {
      const bytes = Buffer.alloc(Math.min(PIECE_BYTES, left));
      const { bytesRead } = await file.read(bytes, 0, bytes.length);
      yield bytes.subarray(0, bytesRead);
      left = bytesRead === 0 ? 0 : left - bytesRead;
    } while (left > 0);
  } finally {
    await file.close();
  }
}

function throttled(say: (line: string) => void): (line: string) => void {
  let last = Date.now();
  return (line) => {
    if (Date.now() - last < SAY_MS) return;
    last = Date.now();
    say(line);
  };
}

/** Syncs the folder, so that the file's name is on disk too, not only its bytes. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  // Some file systems do not support this.
  await handle.sync().catch(() => {});
  await handle.close();
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

function placeFault(error: unknown, file: string): unknown {
  const { code = "", path } = error as { code?: string; path?: string };
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code))
    return new BackupError(`На диске нет места для ${file}. Прежние копии целы.`, { cause: error });
  // Only errors of the file and its folders are the operator's; other failures are bugs.
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code) && path && `${file}.part`.startsWith(path)) {
    const said = `В папку ${dirname(file)} не записать (${code}): дайте права на неё пользователю сервера или назовите другую.`;
    return new BackupError(said, { cause: error });
  }
  return error;
}
