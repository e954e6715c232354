import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { conflict, invalid, notFound, outOfSpace, Problem, unsupported } from "#server/platform/errors.ts";
import { type Disk, NO_SPACE, writeWithFreeSpace } from "./disk.ts";

export const uploadNotFound = () => notFound("Загрузка не найдена: начните её снова", "upload_not_found");

/** Returns the request's body as a stream of bytes. @throws Problem 415 */
export function bytesOf(body: unknown): Readable {
  if (body instanceof Readable) return body;
  throw unsupported("bytes_expected", "Ожидались байты файла: application/octet-stream");
}

interface Appending {
  path: string;
  /** Announced size of the whole file. */
  bytes: number;
  /** Offset of the source in the file. */
  offset: number;
  source: Readable;
  disk: Disk;
}

/** Active writers by file. A newer request ends an older one, whose connection may be dead without the server's noticing. */
const writers = new Map<string, { controller: AbortController; done: Promise<unknown> }>();

/**
 * Appends the source's bytes to a resumable upload, whose length alone tells the client where to continue. Bytes received before an
 * interruption are kept.
 * @throws Problem 404 without a file; 409 when `offset` is not the file's length; 400 for more bytes than announced and for a broken
 *   connection; 507
 */
export async function appendToFile(growing: Appending): Promise<void> {
  const { path } = growing;
  writers.get(path)?.controller.abort();
  await writers.get(path)?.done.catch(() => {});
  const controller = new AbortController();
  const writer = { controller, done: append(growing, controller.signal) };
  writers.set(path, writer);
  try {
    await writer.done;
  } finally {
    if (writers.get(path) === writer) writers.delete(path);
  }
}

export const stopAppending = (path: string): void => writers.get(path)?.controller.abort();

async function append({ path, bytes, offset, source, disk }: Appending, signal: AbortSignal): Promise<void> {
  const { size } = await stat(path).catch(() => {
    throw uploadNotFound();
  });
  if (size !== offset) throw conflict("offset_differs", "Загрузка продолжается с другого места");
  let left = bytes - size;
  // Only the missing part needs disk space, because the received bytes occupy theirs already.
  await disk.leaveFree(left);
  try {
    await pipeline(
      source,
      async function* bounded(parts: AsyncIterable<Buffer>) {
        for await (const part of writeWithFreeSpace(disk, parts)) {
          left -= part.length;
          if (left < 0) throw invalid("upload_too_long", "Файл длиннее, чем было объявлено");
          yield part;
        }
      },
      createWriteStream(path, { flags: "a", flush: true }),
      { signal },
    );
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code } = error as { code?: string };
    if (code === "ENOSPC" || code === "EDQUOT") throw outOfSpace("no_space", NO_SPACE, { cause: error });
    throw invalid("upload_broken", "Загрузка оборвалась: продолжите её", { cause: error });
  }
}
