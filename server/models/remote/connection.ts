/**
 * Opens connections to the models' servers that organisations have named: only to a public address, to the very one that was looked at;
 * certificates are always verified; a redirect is no answer; and organisations that are limited to local models stay on this machine.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { mayBePublic, PrivateAddress, plainHost, publicAddressOf } from "#server/platform/network/public-address.ts";

/** «Только локальная модель» holds, and this server is not local. */
export class NotAllowed extends Error {
  override name = "NotAllowed";
}

/** Thrown when the server answers with a redirect. */
export class Redirected extends Error {
  override name = "Redirected";
}

export interface Way {
  /** The operator has named the address: it may be in a private network and without TLS. */
  mayBePrivate: boolean;
  /** Root certificates, the usual ones among them, each a PEM; null: the usual ones. */
  roots: readonly string[] | null;
  /** Asked before each connection. @throws NotAllowed */
  leave(url: URL): void | Promise<void>;
}

/** Bytes of one answer: a real model never writes more. */
const MAX_BYTES = 16 * 1024 ** 2;

/** A `fetch` whose bodies are strings or bytes; answers are read as they come. @throws NotAllowed, PrivateAddress, Redirected, what the network says */
export function modelFetch(way: Way): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    // Before the name is looked up: even that would tell where the words were to go.
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

/** Whether an address may be named by a user who is not the operator. @throws PrivateAddress */
export function requirePublicAddress(url: URL): void {
  if (url.protocol !== "https:" || !mayBePublic(url.hostname))
    throw new PrivateAddress(`${plainHost(url.hostname)} is not public`);
}

/** undefined: as the name leads. */
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
        // A connection that is kept would outlive the rule that allowed it.
        agent: false,
        // Also where NODE_TLS_REJECT_UNAUTHORIZED switches verification off for all else.
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
    // What `fetch` says of a body that was cut.
    throw new TypeError("terminated", { cause });
  }
}
