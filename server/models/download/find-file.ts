/**
 * Finds the file of a quantisation in a repository, with its size and SHA-256 (`lfs.oid`), by Hugging Face's API (GET
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
  /** SHA-256 in hex. */
  sha256: string;
}

const LONGEST_LIST = 4 * 1024 ** 2;
const Repository = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const Tree = z.array(
  z.object({
    type: z.string(),
    path: z.string().max(500),
    size: z.number().int().nonnegative(),
    lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() }).optional(),
  }),
);
/** File names that need no encoding in a URL. */
const PLAIN = /^[\w.-]{1,200}\.gguf$/i;

/** @throws HubFailure; the signal's reason */
export async function findHubFile(
  hub: HubRequests,
  { repo, quantisation, bytes: about }: { repo: string; quantisation: string; bytes: number },
  signal: AbortSignal,
): Promise<HubFile> {
  const { sha: revision } = await readJson(hub, `/api/models/${repo}`, Repository, signal);
  const listed = await readJson(hub, `/api/models/${repo}/tree/${revision}`, Tree, signal);
  const ending = `${quantisation}.gguf`.toLowerCase();
  const found = listed
    .filter(({ type, path }) => type === "file" && PLAIN.test(path) && path.toLowerCase().endsWith(ending))
    // The plain quantisation is preferred to variants such as «…-UD-Q4_K_M».
    .sort((one, other) => one.path.length - other.path.length)[0];
  if (found === undefined) throw new HubFailure("not-found");
  if (found.lfs === undefined) throw new HubFailure("no-checksum");
  const { oid: sha256, size: bytes } = found.lfs;
  if (bytes > Math.min(about * MAX_SIZE_RATIO, MAX_MODEL_BYTES)) throw new HubFailure("too-big");
  return { repo, revision, path: found.path, bytes, sha256 };
}

/** The card's size is rounded; a file of more than this multiple is something else. */
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
