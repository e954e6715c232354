/**
 * Files in S3-compatible storage. The database records every object before it exists (`stored_pieces`) and every file (`stored_files`). So
 * the server never touches another installation's objects in the same bucket, and never forgets its own.
 */
import { addAbortSignal } from "node:stream";
import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { StorageConfig } from "#server/platform/config/storage-config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { storedFiles, storedPieces } from "#server/platform/db/schema/platform.ts";
import { invalid, Problem } from "#server/platform/errors.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import type { FileStore, OpenedFile, UploadPart } from "#server/platform/files/file-store.ts";
import { Bucket, sha256Of } from "./bucket.ts";
import { type GrowingDeps, GrowingFile } from "./growing-file.ts";
import { LocalCopies } from "./local-copies.ts";
import { type FilePiece, PiecedFile } from "./pieced-file.ts";

/** Maximum size of an object, which is in memory while it is written or read. */
const PIECE_BYTES = 8 * 1024 ** 2;
const DELETED_AT_ONCE = 8;
/** Milliseconds after which a recorded object that was never completed counts as abandoned. */
const COMING_MS = 3600_000;
/** Maximum number of objects per sweep. */
const SWEPT = 10_000;
/** Held by a backup for as long as it reads objects (operations/backup/write-backup.ts). */
export const BACKUP_READS = 727_460_015;

interface ObjectStoreOptions {
  db: Database;
  dataDir: string;
  disk: Disk;
  storage: StorageConfig;
  /** Size of objects in tests. */
  pieceBytes?: number;
}

export class ObjectStore implements FileStore {
  readonly #db: Database;
  readonly #bucket: Bucket;
  readonly #disk: Disk;
  readonly #copies: LocalCopies;
  readonly #growing: GrowingDeps;
  readonly #writers = new Map<string, AbortController>();

  constructor({ db, dataDir, disk, storage, pieceBytes = PIECE_BYTES }: ObjectStoreOptions) {
    this.#db = db;
    this.#bucket = new Bucket(storage);
    this.#disk = disk;
    this.#copies = new LocalCopies(dataDir, disk);
    this.#growing = {
      ...{ db, pieceBytes },
      put: ({ key, sha256 }, body) => this.#bucket.put(key, body, sha256),
      fetch: (piece) => this.#fetch(piece),
      purge: (keys) => this.#purge(keys),
    };
  }

  async create(name: string): Promise<void> {
    await this.#db.insert(storedFiles).values({ name });
  }

  async size(name: string): Promise<number | null> {
    const [file] = await this.#db
      .select({ bytes: storedFiles.bytes })
      .from(storedFiles)
      .where(eq(storedFiles.name, name));
    return file?.bytes ?? null;
  }

  async append(name: string, arriving: UploadPart): Promise<void> {
    this.#writers.get(name)?.abort();
    const controller = new AbortController();
    this.#writers.set(name, controller);
    try {
      await this.#append(name, arriving, controller.signal);
    } finally {
      if (this.#writers.get(name) === controller) this.#writers.delete(name);
    }
  }

  async #append(name: string, { bytes, offset, source }: UploadPart, signal: AbortSignal): Promise<void> {
    const file = await GrowingFile.begin(this.#growing, name, offset);
    let left = bytes - offset;
    let broken: unknown = null;
    try {
      for await (const part of addAbortSignal(signal, source) as AsyncIterable<Buffer>) {
        left -= part.length;
        if (left < 0) throw invalid("upload_too_long", "Файл длиннее, чем было объявлено");
        await file.add(part);
      }
    } catch (error) {
      if (file.failed) throw error;
      broken = error;
    }
    // Bytes received before an interruption are stored too.
    await file.end();
    if (broken === null) return;
    if (broken instanceof Problem) throw broken;
    throw invalid("upload_broken", "Загрузка оборвалась: продолжите её", { cause: broken });
  }

  stopAppending(name: string): void {
    this.#writers.get(name)?.abort();
  }

  async write(name: string, source: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void> {
    await this.create(name);
    const file = await GrowingFile.begin(this.#growing, name, 0);
    for await (const part of source) {
      signal?.throwIfAborted();
      await file.add(part);
    }
    signal?.throwIfAborted();
    await file.end();
  }

  async open(name: string): Promise<OpenedFile> {
    const rows = await this.#db
      .select({ piece: storedPieces })
      .from(storedFiles)
      .leftJoin(storedPieces, and(eq(storedPieces.name, storedFiles.name), isNotNull(storedPieces.place)))
      .where(eq(storedFiles.name, name))
      .orderBy(asc(storedPieces.place));
    if (rows.length === 0) throw missing(name);
    const pieces = rows.flatMap(({ piece }) => piece ?? []);
    return new PiecedFile(pieces, (piece) => this.#fetch(piece));
  }

  /** @throws Problem 503; an error with the code ENOENT when the object is missing; Error when its bytes have changed */
  async #fetch({ key, bytes, sha256 }: FilePiece): Promise<Buffer> {
    const body = await this.#bucket.get(key);
    if (body === null) throw missing(key);
    // Parsers trust these bytes, because they were checked before they were stored.
    if (body.length !== bytes || sha256Of(body) !== sha256) throw new Error(`the stored object ${key} was changed`);
    return body;
  }

  localPath(name: string): Promise<string> {
    return this.#copies.pathOf(name, () => this.open(name));
  }

  async rename(from: string, to: string): Promise<void> {
    const [renamed] = await this.#db
      .update(storedFiles)
      .set({ name: to, updatedAt: new Date() })
      .where(eq(storedFiles.name, from))
      .returning({ name: storedFiles.name });
    if (renamed === undefined) throw missing(from);
  }

  async remove(name: string): Promise<void> {
    this.stopAppending(name);
    const keys = await this.#db.transaction(async (tx) => {
      const under = or(eq(storedFiles.name, name), sql`starts_with(${storedFiles.name}, ${`${name}/`})`);
      const files = await tx.select({ name: storedFiles.name }).from(storedFiles).where(under).for("update");
      if (files.length === 0) return [];
      const names = files.map((file) => file.name);
      const pieces = await tx
        .select({ key: storedPieces.key })
        .from(storedPieces)
        .where(inArray(storedPieces.name, names));
      // The pieces' rows stay, without a file name, until their objects are deleted.
      await tx.delete(storedFiles).where(inArray(storedFiles.name, names));
      return pieces.map(({ key }) => key);
    });
    await this.#copies.remove(name);
    await this.#purge(keys);
  }

  /**
   * Deletes objects that no file contains; while a backup reads, they wait for the sweep. @throws Problem 503 when some could not be
   * deleted
   */
  async #purge(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const { rows } = await this.#db.execute(sql`select pg_try_advisory_xact_lock_shared(${BACKUP_READS}) as free`);
    if (rows[0]?.free !== true) return;
    let failure: unknown = null;
    for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
      const some = keys.slice(at, at + DELETED_AT_ONCE);
      const done = await Promise.allSettled(some.map((key) => this.#bucket.delete(key)));
      const gone = some.filter((_, place) => done[place]!.status === "fulfilled");
      for (const one of done) if (one.status === "rejected") failure ??= one.reason;
      if (gone.length > 0) await this.#db.delete(storedPieces).where(inArray(storedPieces.key, gone));
      // The storage does not answer, so the other objects wait for the sweep as well.
      if (gone.length === 0) break;
    }
    if (failure !== null) throw failure;
  }

  async unchangedSince(time: number): Promise<string[]> {
    const top = sql<string>`split_part(${storedFiles.name}, '/', 1)`;
    const rows = await this.#db
      .select({ name: top })
      .from(storedFiles)
      .groupBy(top)
      .having(sql`max(${storedFiles.updatedAt}) < ${new Date(time).toISOString()}::timestamptz`);
    return rows.map(({ name }) => name);
  }

  /** The files are stored elsewhere; this machine's disk only needs its usual minimum, for the log and for local copies. */
  leaveFree(): Promise<void> {
    return this.#disk.leaveFree(0);
  }

  async sweep(now: number): Promise<void> {
    await this.#copies.sweep(now, async (names) => {
      const stored = await this.#db
        .select({ name: storedFiles.name })
        .from(storedFiles)
        .where(inArray(storedFiles.name, [...names]));
      return new Set(stored.map(({ name }) => name));
    });
    const left = await this.#db
      .select({ key: storedPieces.key })
      .from(storedPieces)
      .where(
        or(
          isNull(storedPieces.name),
          and(isNull(storedPieces.place), lt(storedPieces.createdAt, new Date(now - COMING_MS))),
        ),
      )
      .limit(SWEPT);
    await this.#purge(left.map(({ key }) => key));
  }

  check(): Promise<void> {
    return this.#bucket.check();
  }
}

const missing = (name: string): Error =>
  Object.assign(new Error(`there is no stored file ${name}`), { code: "ENOENT" });
