/**
 * Downloads a file from the hub. Received bytes are kept, an interrupted transfer resumes after them (HTTP Range), and at the end the
 * checksum is verified. A damaged file is fetched once more from its beginning.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HubFile } from "./find-file.ts";
import { HubFailure } from "./hub-failures.ts";
import type { HubRequests } from "./hub-requests.ts";

export interface HubDownload {
  hub: HubRequests;
  file: HubFile;
  /** Path of the partial file, which only the server's user can read. */
  path: string;
  signal: AbortSignal;
  onProgress(received: number): void;
  /** Checks for free disk space. @throws when there is too little */
  leaveFree(bytes: number): Promise<void>;
  times?: Partial<FetchTimes>;
}

export interface FetchTimes {
  /** Milliseconds: a connection that delivers fewer than `minBytes` in this time counts as broken. */
  stalledMs: number;
  minBytes: number;
  /** Milliseconds of the first wait after an interruption; doubles up to `longestWaitMs` while no bytes arrive. */
  waitMs: number;
  longestWaitMs: number;
  /** The download fails after this many interruptions in a row without progress. */
  tries: number;
}

const TIMES: FetchTimes = { stalledMs: 30_000, minBytes: 4096, waitMs: 1000, longestWaitMs: 30_000, tries: 8 };
/** Bytes after which the free disk space is checked again. */
const LOOKED_AFTER = 64 * 1024 ** 2;
/** Maximum number of fetches of a file that arrives damaged. */
const FETCHES = 2;

/** @throws HubFailure; the signal's reason. Received bytes stay at `path`, unless they are damaged */
export async function fetchFile(fetching: HubDownload): Promise<void> {
  const { file, path, signal } = fetching;
  for (let fetched = 1; ; fetched++) {
    await fetchBytes(fetching);
    if (await isSound(path, file, signal)) return;
    await rm(path, { force: true });
    fetching.onProgress(0);
    if (fetched === FETCHES) throw new HubFailure("damaged");
  }
}

async function fetchBytes(fetching: HubDownload): Promise<void> {
  const { file, path, signal } = fetching;
  const times = { ...TIMES, ...fetching.times };
  const part = await open(path, "a", 0o600);
  try {
    let here = (await part.stat()).size;
    if (here > file.bytes) here = await startAgain(part);
    fetching.onProgress(here);
    await fetching.leaveFree(file.bytes - here);
    for (let cuts = 0; here < file.bytes; ) {
      const before = here;
      try {
        here = await fetchOn(fetching, part, here, times);
      } catch (error) {
        signal.throwIfAborted();
        if (isFull(error)) throw new HubFailure("no-space", { cause: error });
        if (!(error instanceof HubFailure && error.passes)) throw error;
        here = (await part.stat()).size;
        cuts = here > before ? 0 : cuts + 1;
        if (cuts >= times.tries) throw error;
        await sleep(Math.min(times.longestWaitMs, times.waitMs * 2 ** cuts), undefined, { signal });
      }
    }
    await part.sync();
  } finally {
    await part.close();
  }
}

/** Fetches until the connection ends. @returns the number of bytes received so far */
async function fetchOn(
  { hub, file, signal, onProgress, leaveFree }: HubDownload,
  part: FileHandle,
  from: number,
  times: FetchTimes,
): Promise<number> {
  const path = `/${file.repo}/resolve/${file.revision}/${encodeURIComponent(file.path)}`;
  // Asks for an uncompressed body, because ranges of a compressed one cannot be resumed.
  const headers = { "accept-encoding": "identity", ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
  const answer = await hub.get(path, headers, signal);
  const stalled = watchFlow(answer, times);
  let here = from;
  try {
    if (answer.statusCode === 206) checkRange(answer, from, file.bytes);
    else {
      checkLength(answer, file.bytes);
      // The server does not support ranges and sends the file from its beginning.
      if (from > 0) here = await startAgain(part);
    }
    let looked = here;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      if (here + piece.length > file.bytes) throw new HubFailure("changed");
      await part.appendFile(piece);
      here += piece.length;
      onProgress(here);
      if (here - looked >= LOOKED_AFTER) {
        looked = here;
        await leaveFree(0);
      }
    }
    return here;
  } catch (error) {
    answer.destroy();
    signal.throwIfAborted();
    if (error instanceof HubFailure || isFull(error) || !isOfLine(error)) throw error;
    throw new HubFailure("line", { cause: error });
  } finally {
    stalled();
  }
}

/** Ends a response that is too slow. @returns a function that stops the monitoring */
function watchFlow(answer: IncomingMessage, { stalledMs, minBytes }: FetchTimes): () => void {
  let seen = 0;
  answer.on("data", (piece: Buffer) => {
    seen += piece.length;
  });
  // Pauses the stream until its reader starts it.
  answer.pause();
  const timer = setInterval(() => {
    if (seen < minBytes) answer.destroy(new HubFailure("line"));
    seen = 0;
  }, stalledMs);
  return () => clearInterval(timer);
}

function checkRange({ headers }: IncomingMessage, from: number, bytes: number): void {
  const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers["content-range"] ?? "");
  if (range === null) throw new HubFailure("odd");
  if (Number(range[1]) !== from || Number(range[2]) !== bytes) throw new HubFailure("changed");
}

function checkLength({ headers }: IncomingMessage, bytes: number): void {
  const told = headers["content-length"];
  if (told !== undefined && Number(told) !== bytes) throw new HubFailure("changed");
}

async function startAgain(part: FileHandle): Promise<number> {
  await part.truncate(0);
  return 0;
}

const isSound = async (path: string, { sha256, gitBlob }: HubFile, signal: AbortSignal): Promise<boolean> =>
  sha256 === null ? (await gitBlobOf(path, signal)) === gitBlob : (await sha256Of(path, signal)) === sha256;

/** Returns the hash by which git names a blob. */
async function gitBlobOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha1").update(`blob ${(await stat(path)).size}\0`);
  for await (const piece of createReadStream(path, { highWaterMark: 1024 ** 2, signal })) hash.update(piece);
  return hash.digest("hex");
}

/** @returns the SHA-256 in hex */
async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1024 ** 2, signal })) hash.update(piece);
  return hash.digest("hex");
}

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code;
const isFull = (error: unknown) =>
  codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT" || codeOf(error) === "no_space";
/** Whether the error comes from the connection; disk errors are rethrown unchanged. */
const isOfLine = (error: unknown) =>
  codeOf(error) === undefined || /^(?:ECONN|EPIPE|ETIMEDOUT|HPE_|ERR_STREAM|ERR_SSL|EHOST|ENET)/.test(codeOf(error)!);
