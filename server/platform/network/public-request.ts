/** Sends a request to an address given by a user: https only, public only, and exactly to the IP address that was checked. */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { mayBePublic, PrivateAddress, plainHost, publicAddressOf } from "./public-address.ts";

const hostOf = (url: URL): string => plainHost(url.hostname);
const isLoopback = (url: URL): boolean => ["127.0.0.1", "::1"].includes(hostOf(url));

/**
 * Checks the URL itself; where its name leads is checked when it is requested.
 * @param loopback whether this machine may be addressed too, without TLS: in tests only
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
 * A request that connects to exactly the address that was checked, whatever the name leads to a moment later.
 * @param loopback whether this machine may be asked, as in `checkAddress`
 * @param signal ends also the search for the name's address
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

/** A name server that hangs delays no request. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const end = () => failed(signal.reason);
    if (signal.aborted) return end();
    signal.addEventListener("abort", end, { once: true });
    work.then(done, failed).finally(() => signal.removeEventListener("abort", end));
  });
}

interface PublicRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | Buffer;
  timeoutMs: number;
  /** Aborts the request. */
  ending?: AbortSignal | undefined;
  loopback: boolean;
  /** The answer's body is read up to this many bytes; 0: not at all. */
  maxBytes: number;
}

/**
 * Redirects are not followed.
 * @throws PrivateAddress; RangeError for a longer answer; otherwise the network's error
 */
export async function requestPublic(
  url: URL,
  { method, headers, body, timeoutMs, ending, loopback, maxBytes }: PublicRequest,
): Promise<{ status: number; body: string }> {
  checkAddress(url, loopback);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = ending === undefined ? timeout : AbortSignal.any([timeout, ending]);
  const { promise, resolve: done, reject: failed } = Promise.withResolvers<{ status: number; body: string }>();
  const onAnswer = (answer: IncomingMessage) => {
    const status = answer.statusCode ?? 0;
    if (maxBytes === 0) {
      done({ status, body: "" });
      answer.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) request.destroy(new RangeError("the answer is too long"));
    });
    answer.on("end", () => done({ status, body: Buffer.concat(chunks).toString() }));
    answer.on("error", failed);
  };
  const request = await openPublic(url, loopback, { method, headers, signal }, { onAnswer, onError: failed });
  request.end(body);
  return promise;
}
