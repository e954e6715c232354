/**
 * Appends to a stored file. An object cannot grow, so a file is a list of pieces: full ones, and a last one that is rewritten together with
 * the next bytes. The file's row records its length and its writer. Of two writers, on any machines, only the newer one continues, and no
 * byte is stored twice.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import { type Database, sqlState } from "#server/platform/db/database.ts";
import { storedFiles, storedPieces } from "#server/platform/db/schema/platform.ts";
import { conflict } from "#server/platform/errors.ts";
import { uploadNotFound } from "#server/platform/files/resumable-file.ts";
import { sha256Of } from "./bucket.ts";
import type { FilePiece } from "./pieced-file.ts";

const FOREIGN_KEY = "23503";

const offsetDiffers = () => conflict("offset_differs", "Загрузка продолжается с другого места");

export interface GrowingDeps {
  db: Database;
  pieceBytes: number;
  put(piece: FilePiece, body: Buffer): Promise<void>;
  fetch(piece: FilePiece): Promise<Buffer>;
  purge(keys: readonly string[]): Promise<void>;
}

export class GrowingFile {
  /** Whether storing a piece has failed, after which this writer stores nothing more. */
  failed = false;
  readonly #deps: GrowingDeps;
  readonly #name: string;
  readonly #writer: string;
  #stored: number;
  #place: number;
  /** The last piece, if it is not full: the next one replaces it. */
  #replaced: FilePiece | null;
  #held: Buffer[];
  #heldBytes: number;

  private constructor(
    deps: GrowingDeps,
    name: string,
    writer: string,
    stored: number,
    place: number,
    tail: Tail | null,
  ) {
    this.#deps = deps;
    this.#name = name;
    this.#writer = writer;
    this.#stored = stored;
    this.#place = place;
    this.#replaced = tail?.piece ?? null;
    this.#held = tail === null ? [] : [tail.body];
    this.#heldBytes = tail?.body.length ?? 0;
  }

  /** Makes this the only writer of the file. @throws Problem 404, 503; 409 when `offset` is not the file's length */
  static async begin(deps: GrowingDeps, name: string, offset: number): Promise<GrowingFile> {
    const { db } = deps;
    const writer = randomUUID();
    const [file] = await db
      .update(storedFiles)
      .set({ writer })
      .where(and(eq(storedFiles.name, name), eq(storedFiles.bytes, offset)))
      .returning({ name: storedFiles.name });
    if (file === undefined) {
      const [known] = await db.select({ name: storedFiles.name }).from(storedFiles).where(eq(storedFiles.name, name));
      throw known === undefined ? uploadNotFound() : offsetDiffers();
    }
    const [last] = await db
      .select()
      .from(storedPieces)
      .where(and(eq(storedPieces.name, name), sql`${storedPieces.place} is not null`))
      .orderBy(desc(storedPieces.place))
      .limit(1);
    if (last === undefined) return new GrowingFile(deps, name, writer, offset, 0, null);
    if (last.bytes >= deps.pieceBytes) return new GrowingFile(deps, name, writer, offset, last.place! + 1, null);
    const tail = { piece: last, body: await deps.fetch(last) };
    return new GrowingFile(deps, name, writer, offset, last.place!, tail);
  }

  /** @throws Problem 404, 503; 409 when another writer has begun */
  async add(part: Buffer): Promise<void> {
    this.#held.push(part);
    this.#heldBytes += part.length;
    while (this.#heldBytes >= this.#deps.pieceBytes) {
      const all = Buffer.concat(this.#held, this.#heldBytes);
      const rest = all.subarray(this.#deps.pieceBytes);
      await this.#store(all.subarray(0, this.#deps.pieceBytes));
      this.#place++;
      this.#held = rest.length === 0 ? [] : [rest];
      this.#heldBytes = rest.length;
    }
  }

  /** Stores the remaining bytes. @throws as `add` */
  async end(): Promise<void> {
    if (this.#heldBytes > (this.#replaced?.bytes ?? 0)) await this.#store(Buffer.concat(this.#held, this.#heldBytes));
  }

  async #store(body: Buffer): Promise<void> {
    try {
      const [folder] = this.#name.split("/");
      const number = String(this.#place).padStart(6, "0");
      const key = `${folder}/${number}-${randomBytes(8).toString("hex")}`;
      const piece = { key, bytes: body.length, sha256: sha256Of(body) };
      await this.#announce(piece);
      await this.#deps.put(piece, body);
      await this.#keep(piece);
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  /** Records the object before it exists, so that the sweep finds it after a crash. */
  async #announce(piece: FilePiece): Promise<void> {
    await this.#deps.db
      .insert(storedPieces)
      .values({ ...piece, name: this.#name })
      .catch((error: unknown) => {
        throw sqlState(error) === FOREIGN_KEY ? uploadNotFound() : error;
      });
  }

  async #keep(piece: FilePiece): Promise<void> {
    const replaced = this.#replaced;
    const added = piece.bytes - (replaced?.bytes ?? 0);
    const kept = await this.#deps.db.transaction(async (tx) => {
      const [mine] = await tx
        .update(storedFiles)
        .set({ bytes: this.#stored + added, updatedAt: new Date() })
        .where(
          and(
            eq(storedFiles.name, this.#name),
            eq(storedFiles.writer, this.#writer),
            eq(storedFiles.bytes, this.#stored),
          ),
        )
        .returning({ name: storedFiles.name });
      if (mine === undefined) return false;
      if (replaced !== null) {
        await tx.update(storedPieces).set({ place: null }).where(eq(storedPieces.key, replaced.key));
      }
      await tx.update(storedPieces).set({ place: this.#place }).where(eq(storedPieces.key, piece.key));
      return true;
    });
    if (!kept) {
      await this.#deps.purge([piece.key]);
      throw offsetDiffers();
    }
    this.#stored += added;
    this.#replaced = null;
    // The sweep deletes what could not be deleted here.
    if (replaced !== null) await this.#deps.purge([replaced.key]).catch(() => {});
  }
}

interface Tail {
  piece: FilePiece;
  body: Buffer;
}
