/**
 * Sends a request to a URL given by a user: only https, only to public addresses, and exactly to the checked IP address, directly or
 * through a proxy that the user names.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { connectThrough, type ProxySettings } from "./connect.ts";
import { secureSocket } from "./proxied.ts";
import { ProxyFailure } from "./proxy-failure.ts";
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

interface OpenOptions extends RequestOptions {
  /** Also aborts the DNS lookup and the handshake with the proxy. */
  signal: AbortSignal;
  /** null or absent: the request goes directly. */
  proxy?: ProxySettings | null | undefined;
}

/**
 * Opens a request that connects to exactly the checked address, even if the name changes in the meantime.
 * @param loopback whether this machine is allowed, as in `checkAddress`
 * @throws PrivateAddress; the resolver's error; ProxyFailure, after which nothing was sent; the signal's reason
 */
export async function openPublic(
  url: URL,
  loopback: boolean,
  { signal, proxy, ...options }: OpenOptions,
  { onAnswer, onError }: { onAnswer: (answer: IncomingMessage) => void; onError: (error: Error) => void },
): Promise<ClientRequest> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  if (proxy) {
    const socket = await connectByProxy(url, loopback, proxy, signal);
    return send(url, { ...options, signal, createConnection: () => socket }, onAnswer).on("error", onError);
  }
  const address = await checkedAddress(url, loopback, signal);
  const family = isIP(address);
  const lookup: LookupFunction = (_host, { all }, done) =>
    all === true ? done(null, [{ address, family }]) : done(null, address, family);
  return send(url, { ...options, agent: false, signal, lookup }, onAnswer).on("error", onError);
}

const checkedAddress = async (url: URL, loopback: boolean, signal: AbortSignal): Promise<string> =>
  loopback && isLoopback(url) ? hostOf(url) : await untilAborted(publicAddressOf(hostOf(url)), signal);

/**
 * Returns a connection through the proxy that is ready for the request: with TLS to the target itself, whose certificate must be that of
 * its name, so that the proxy sees neither the request nor the answer.
 *
 * A private IP address and a name that cannot be public are refused before the proxy is asked. Behind a public proxy that is all that is
 * checked: the proxy resolves the name, because an address that is resolved here may be wrong where a service is blocked. What it reaches
 * then is the network of the proxy's owner, never ours. A proxy in a private network, which only the operator may name, stands beside our
 * machines; it gets the checked IP address, so that no name leads a request back into that network.
 */
async function connectByProxy(url: URL, loopback: boolean, proxy: ProxySettings, signal: AbortSignal): Promise<Socket> {
  checkAddress(url, loopback);
  const name = hostOf(url);
  const isSecure = url.protocol === "https:";
  const host = proxy.mayBePrivate ? await checkedAddress(url, loopback, signal) : name;
  const target = { host, port: Number(url.port || (isSecure ? 443 : 80)) };
  let isReached = false;
  const passed = (hop: string) => {
    isReached ||= hop === "tcp";
  };
  const socket = await connectThrough(proxy, target, { signal, passed }).catch((error: unknown) => {
    // The time of the whole request may end before the proxy's own.
    const isLate = signal.aborted && error instanceof Error && error.name === "TimeoutError";
    throw isLate ? new ProxyFailure(isReached ? "silent" : "unreachable") : error;
  });
  if (!isSecure) return socket;
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await secureSocket(socket, name);
  } finally {
    signal.removeEventListener("abort", stop);
  }
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
  /** null or absent: the request goes directly. */
  proxy?: ProxySettings | null | undefined;
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
 * @throws PrivateAddress; ProxyFailure, after which nothing was sent; RangeError for a longer response; otherwise the network's error
 */
export async function requestPublicBytes(
  url: URL,
  { method, headers, body, timeoutMs, ending, loopback, proxy, maxBytes }: PublicRequest,
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
  const request = await openPublic(url, loopback, { method, headers, signal, proxy }, { onAnswer, onError: failed });
  request.end(body);
  return promise;
}
