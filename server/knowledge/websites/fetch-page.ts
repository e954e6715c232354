/**
 * Fetches one page: only from a public address, the exact one that DNS returned, without following redirects, within limits of size and
 * time. A length announced by the server is not trusted.
 */
import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { checkAddress, openPublic } from "#server/platform/network/public-request.ts";
import { ROBOT } from "./robots.ts";

interface FetchLimits {
  /** Maximum size of the uncompressed body. */
  maxBytes: number;
  /** Time limit for the whole exchange. */
  timeoutMs: number;
  loopback: boolean;
  signal: AbortSignal;
}

export interface FetchedPage {
  status: number;
  /** Lower-case media type without parameters; "" when missing. */
  type: string;
  location: string | null;
  robots: string;
  body: Buffer;
}

/** The body exceeds the allowed size. */
export class TooLarge extends Error {}

const UNPACK = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  identity: () => new PassThrough(),
} as const;

/**
 * @param accepts decides from the headers whether the body is read; otherwise the body is empty
 * @throws PrivateAddress, TooLarge, the network's error
 */
export async function fetchPage(
  url: URL,
  limits: FetchLimits,
  accepts: (head: Omit<FetchedPage, "body">) => boolean,
): Promise<FetchedPage> {
  checkAddress(url, limits.loopback);
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), limits.signal]);
  const answer = await ask(url, limits.loopback, signal);
  try {
    const head = {
      status: answer.statusCode ?? 0,
      type: (answer.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase(),
      location: answer.headers.location ?? null,
      robots: [answer.headers["x-robots-tag"] ?? ""].flat().join(","),
    };
    return { ...head, body: accepts(head) ? await bodyOf(answer, limits.maxBytes, signal) : Buffer.alloc(0) };
  } finally {
    answer.destroy();
  }
}

async function ask(url: URL, loopback: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = {
    "user-agent": `${ROBOT}/1.0`,
    accept: "text/html,text/plain;q=0.9",
    "accept-encoding": "gzip, identity",
    "accept-language": "ru, en;q=0.5",
  };
  const { promise, resolve: onAnswer, reject: onError } = Promise.withResolvers<IncomingMessage>();
  const options = { headers, signal, maxHeaderSize: 16 * 1024 };
  const request = await openPublic(url, loopback, options, { onAnswer, onError });
  request.end();
  return promise;
}

async function bodyOf(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  if (Number(answer.headers["content-length"] ?? 0) > maxBytes) throw new TooLarge();
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (!(coding in UNPACK)) throw new Error(`The content coding ${coding.slice(0, 40)} is unknown`);
  const unpacked: Readable = answer.pipe(UNPACK[coding as keyof typeof UNPACK]());
  answer.on("error", (error) => unpacked.destroy(error));
  // If the server closes the connection early, the stream neither ends nor emits an error.
  answer.on("close", () => answer.complete || unpacked.destroy(new Error("The answer was cut off")));
  const stop = () => unpacked.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw new TooLarge();
      pieces.push(piece);
    }
    return Buffer.concat(pieces, length);
  } finally {
    signal.removeEventListener("abort", stop);
    unpacked.destroy();
  }
}
