/**
 * Opens connections to model servers that organisations have named. They lead only to public addresses, to the very IP address that was
 * checked. Certificates are always verified, redirects are refused, and organisations limited to local models reach no other server.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { mayBePublic, PrivateAddress, plainHost, publicAddressOf } from "#server/platform/network/public-address.ts";

/** The organisation's rule «только локальная модель» forbids this server, which is not local. */
export class NotAllowed extends Error {
  override name = "NotAllowed";
}

/** The server answered with a redirect. */
export class Redirected extends Error {
  override name = "Redirected";
}

export interface Way {
  /** The operator has named the address, so it may be in a private network and without TLS. */
  mayBePrivate: boolean;
  /** Root certificates, the usual ones among them, each a PEM; null: the usual ones. */
  roots: readonly string[] | null;
  /** Called before each connection. @throws NotAllowed */
  leave(url: URL): void | Promise<void>;
}

/** Maximum size of a response; a real model never writes more. */
const MAX_BYTES = 16 * 1024 ** 2;

/**
 * Returns a `fetch` for bodies that are strings or bytes; responses are streamed. @throws NotAllowed, PrivateAddress, Redirected, network
 * errors
 */
export function modelFetch(way: Way): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    // Before the DNS lookup, because even that would reveal where the texts were to go.
    await way.leave(url);
    const lookup = await wayTo(url, way);
    const answer = await send(url, init, lookup, way.roots);
    const status = answer.statusCode ?? 0;
    if (status >= 300 && status < 400) {
      answer.destroy();
      throw new Redirected(`HTTP ${status}`);
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
    const empty = status === 204 || status === 205;
    if (empty) answer.resume();
    return new Response(empty ? null : ReadableStream.from(bounded(answer, signal)), { status, headers });
  };
}

/** Refuses an address that only the operator may name. @throws PrivateAddress */
export function requirePublicAddress(url: URL): void {
  if (url.protocol !== "https:" || !mayBePublic(url.hostname))
    throw new PrivateAddress(`${plainHost(url.hostname)} is not public`);
}

/** Returns a lookup that yields the checked IP address; undefined: the system's own lookup is used. */
async function wayTo(url: URL, { mayBePrivate }: Way): Promise<LookupFunction | undefined> {
  if (mayBePrivate) return undefined;
  requirePublicAddress(url);
  const address = await publicAddressOf(url.hostname);
  const family = isIP(address);
  return (_host, { all }, done) => (all === true ? done(null, [{ address, family }]) : done(null, address, family));
}

function send(
  url: URL,
  { method = "GET", headers, body, signal }: RequestInit,
  lookup: LookupFunction | undefined,
  roots: readonly string[] | null,
): Promise<IncomingMessage> {
  const ask = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = ask(
      url,
      {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        // A kept-alive connection would outlive the rule that allowed it.
        agent: false,
        // Certificates are verified even when NODE_TLS_REJECT_UNAUTHORIZED switches verification off for the process.
        rejectUnauthorized: true,
        ...(signal ? { signal } : {}),
        ...(lookup ? { lookup } : {}),
        ...(roots ? { ca: [...roots] } : {}),
      },
      resolve,
    );
    request.on("error", reject);
    request.end(typeof body === "string" || body instanceof Uint8Array ? body : undefined);
  });
}

async function* bounded(answer: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  let left = MAX_BYTES;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) throw new Error("The answer is longer than any model's");
      yield new Uint8Array(chunk);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    // The same error as that of `fetch` for an interrupted body.
    throw new TypeError("terminated", { cause });
  }
}
