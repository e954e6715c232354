/**
 * Finds the file of a quantisation in a repository, with its size and SHA-256 (`lfs.oid`), through Hugging Face's API (GET
 * /api/models/{repo}, GET /api/models/{repo}/tree/{revision}).
 */
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { MAX_MODEL_BYTES } from "#contract/models/local-models.ts";
import { HubFailure } from "./hub-failures.ts";
import type { HubRequests } from "./hub-requests.ts";

export interface HubFile {
  repo: string;
  /** The commit, so that the file stays the same however long the download takes. */
  revision: string;
  path: string;
  bytes: number;
  /** SHA-256 in hex; null for a small file, which the hub stores in git itself. */
  sha256: string | null;
  /** Git blob hash of such a small file, in hex. */
  gitBlob?: string;
}

/** One file of a model of several files, with our name for it. */
export type HubPart = Omit<HubFile, "repo" | "revision"> & { name: string };

const LONGEST_LIST = 4 * 1024 ** 2;
const Repository = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const Tree = z.array(
  z.object({
    type: z.string(),
    path: z.string().max(500),
    size: z.number().int().nonnegative(),
    oid: z.string().max(100).optional(),
    lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() }).optional(),
  }),
);
/** Matches file names that need no encoding in a URL. */
const PLAIN = /^[\w.-]{1,200}\.gguf$/i;

/** @throws HubFailure; the signal's reason */
export async function findHubFile(
  hub: HubRequests,
  { repo, quantisation, bytes: about }: { repo: string; quantisation: string; bytes: number },
  signal: AbortSignal,
): Promise<HubFile> {
  const { revision, listed } = await listFiles(hub, repo, signal);
  const ending = `${quantisation}.gguf`.toLowerCase();
  const found = listed
    .filter(({ type, path }) => type === "file" && PLAIN.test(path) && path.toLowerCase().endsWith(ending))
    // The shortest name is the plain quantisation; variants such as «…-UD-Q4_K_M» are longer.
    .sort((one, other) => one.path.length - other.path.length)[0];
  if (found === undefined) throw new HubFailure("not-found");
  if (found.lfs === undefined) throw new HubFailure("no-checksum");
  const { oid: sha256, size: bytes } = found.lfs;
  if (bytes > Math.min(about * MAX_SIZE_RATIO, MAX_MODEL_BYTES)) throw new HubFailure("too-big");
  return { repo, revision, path: found.path, bytes, sha256 };
}

/**
 * Finds all files of a model whose file names are known.
 * @param model `parts`: names on the hub, keyed by our names
 * @throws HubFailure; the signal's reason
 */
export async function findHubParts(
  hub: HubRequests,
  { repo, parts, bytes: about }: { repo: string; parts: Readonly<Record<string, string>>; bytes: number },
  signal: AbortSignal,
): Promise<{ revision: string; parts: HubPart[] }> {
  const { revision, listed } = await listFiles(hub, repo, signal);
  const found = Object.entries(parts).map(([name, path]): HubPart => {
    const file = listed.find((one) => one.type === "file" && one.path === path);
    if (file === undefined) throw new HubFailure("not-found");
    const { lfs, oid, size } = file;
    if (lfs !== undefined) return { name, path, bytes: lfs.size, sha256: lfs.oid };
    if (oid === undefined || !GIT_BLOB.test(oid) || size > MOST_IN_GIT) throw new HubFailure("no-checksum");
    return { name, path, bytes: size, sha256: null, gitBlob: oid };
  });
  if (bytesOf(found) > about * MAX_SIZE_RATIO) throw new HubFailure("too-big");
  return { revision, parts: found };
}

export const bytesOf = (parts: readonly { bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

const GIT_BLOB = /^[0-9a-f]{40}$/;
/** In bytes: the hub stores larger files in LFS. */
const MOST_IN_GIT = 10 * 1024 ** 2;

async function listFiles(hub: HubRequests, repo: string, signal: AbortSignal) {
  const { sha: revision } = await readJson(hub, `/api/models/${repo}`, Repository, signal);
  return { revision, listed: await readJson(hub, `/api/models/${repo}/tree/${revision}`, Tree, signal) };
}

/** The card's size is rounded; a file larger than this multiple of it is not the expected one. */
const MAX_SIZE_RATIO = 3;

async function readJson<T>(hub: HubRequests, path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const answer = await hub.get(path, { accept: "application/json" }, signal);
  const text = await readText(answer, signal);
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    throw new HubFailure("odd", { cause: error });
  }
}

async function readText(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > LONGEST_LIST) throw new HubFailure("odd");
      pieces.push(piece);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof HubFailure ? error : new HubFailure("line", { cause: error });
  }
  return Buffer.concat(pieces).toString("utf8");
}
