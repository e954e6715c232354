/** Sends a request to a URL given by a user: only https, only to public addresses, and exactly to the checked IP address. */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { mayBePublic, PrivateAddress, plainHost, publicAddressOf } from "./public-address.ts";

const hostOf = (url: URL): string => plainHost(url.hostname);
const isLoopback = (url: URL): boolean => ["127.0.0.1", "::1"].includes(hostOf(url));

/**
 * Checks the URL itself; the address that its name resolves to is checked at the request.
 * @param loopback whether this machine is allowed too, without TLS: in tests only
 * @throws PrivateAddress
 */
export function checkAddress(url: URL, loopback: boolean): void {
  if (loopback && isLoopback(url)) return;
  const host = hostOf(url);
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "" || !mayBePublic(host)) {
    throw new PrivateAddress(`${host} is not to be asked`);
  }
}

/**
 * Opens a request that connects to exactly the checked address, even if the name changes in the meantime.
 * @param loopback whether this machine is allowed, as in `checkAddress`
 * @param signal also aborts the DNS lookup
 * @throws PrivateAddress; the resolver's error; the signal's reason
 */
export async function openPublic(
  url: URL,
  loopback: boolean,
  { signal, ...options }: RequestOptions & { signal: AbortSignal },
  { onAnswer, onError }: { onAnswer: (answer: IncomingMessage) => void; onError: (error: Error) => void },
): Promise<ClientRequest> {
  const host = hostOf(url);
  const address = loopback && isLoopback(url) ? host : await untilAborted(publicAddressOf(host), signal);
  const family = isIP(address);
  const lookup: LookupFunction = (_host, { all }, done) =>
    all === true ? done(null, [{ address, family }]) : done(null, address, family);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return send(url, { ...options, agent: false, signal, lookup }, onAnswer).on("error", onError);
}

/** Stops waiting for a hanging name server when the signal aborts. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const end = () => failed(signal.reason);
    if (signal.aborted) return end();
    signal.addEventListener("abort", end, { once: true });
    work.then(done, failed).finally(() => signal.removeEventListener("abort", end));
  });
}

interface PublicRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers: Record<string, string>;
  body?: string | Buffer;
  timeoutMs: number;
  /** Aborts the request. */
  ending?: AbortSignal | undefined;
  loopback: boolean;
  /** Maximum number of bytes of the response's body; 0: the body is not read. */
  maxBytes: number;
}

/** `requestPublicBytes` for text in UTF-8. */
export async function requestPublic(url: URL, request: PublicRequest): Promise<{ status: number; body: string }> {
  const { status, body } = await requestPublicBytes(url, request);
  return { status, body: body.toString() };
}

const NOTHING = Buffer.alloc(0);

/**
 * Does not follow redirects.
 * @throws PrivateAddress; RangeError for a longer response; otherwise the network's error
 */
export async function requestPublicBytes(
  url: URL,
  { method, headers, body, timeoutMs, ending, loopback, maxBytes }: PublicRequest,
): Promise<{ status: number; body: Buffer }> {
  checkAddress(url, loopback);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = ending === undefined ? timeout : AbortSignal.any([timeout, ending]);
  const { promise, resolve: done, reject: failed } = Promise.withResolvers<{ status: number; body: Buffer }>();
  const onAnswer = (answer: IncomingMessage) => {
    const status = answer.statusCode ?? 0;
    if (maxBytes === 0) {
      done({ status, body: NOTHING });
      answer.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      const tooLong = new RangeError("the answer is too long");
      // An answer in one piece ends before the request's own error arrives.
      failed(tooLong);
      request.destroy(tooLong);
    });
    answer.on("end", () => done({ status, body: Buffer.concat(chunks) }));
    answer.on("error", failed);
  };
  const request = await openPublic(url, loopback, { method, headers, signal }, { onAnswer, onError: failed });
  request.end(body);
  return promise;
}
