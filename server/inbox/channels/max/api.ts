/**
 * Calls MAX's Bot API (https://dev.max.ru/docs-api). Not through `@maxhub/max-bot-api`: docs/decisions/034-telegram-max-and-proxies.md.
 * Each call opens its own connection: on a reused one it is unknown whether a message was sent before the connection broke.
 */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { getCACertificates } from "node:tls";
import { type Proxied, secureSocket } from "#server/platform/network/proxied.ts";

/** Maximum size of a response, far more than a hundred updates or messages need. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface MaxApi {
  token: string;
  /** https://platform-api2.max.ru, or a server with the same API. */
  apiUrl: string;
  /** Root certificates (PEM) that are trusted here besides the usual ones. */
  roots: readonly string[];
  proxy?: Proxied | null;
}

interface MaxRequest {
  method?: "GET" | "POST" | "DELETE";
  query?: Record<string, string>;
  body?: object;
  signal: AbortSignal;
}

/** The response, and the platform's clock at that time in milliseconds. */
interface MaxAnswer {
  body: unknown;
  at: number | null;
}

export type MaxCall = (path: string, request: MaxRequest) => Promise<MaxAnswer>;

export class MaxRefusal extends Error {
  readonly status: number;
  /** The platform's error code; "" when it gave none. */
  readonly code: string;
  /** Milliseconds that the platform asks to wait, or null. */
  readonly afterMs: number | null;

  constructor(status: number, code: string, afterMs: number | null) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** Thrown when there was no response, or an incomplete one. */
export class MaxSilence extends Error {
  /** Whether the connection failed before anything was sent. */
  readonly unsent: boolean;
  /** Whether no trusted authority has signed the server's certificate. */
  readonly untrusted: boolean;

  constructor(cause: unknown, unsent: boolean) {
    super("no answer", { cause });
    this.unsent = unsent;
    this.untrusted = /CERT|SIGNED|ALTNAME|LEAF_SIGNATURE/.test(String((cause as { code?: string } | null)?.code ?? ""));
  }
}

export function maxCalls({ token, apiUrl, roots, proxy = null }: MaxApi): MaxCall {
  const trusted = roots.length === 0 ? {} : { ca: [...getCACertificates("default"), ...roots] };
  return async (path, { method = "GET", query = {}, body, signal }) => {
    const url = new URL(`${apiUrl}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      // A token may contain line breaks, which a header must not.
      authorization: encodeURI(token),
      ...(payload === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
    };
    const { status, text, given } = await exchange(url, { method, headers, signal, trusted, payload, proxy });
    const read = parsed(text);
    if (status === 200 && read !== undefined) return { body: read, at: timeOf(given.date) };
    const code = (read as { code?: unknown } | null | undefined)?.code;
    // A page instead of JSON with status 200 does not reveal the result of the call.
    if (status === 200) throw new MaxSilence(null, false);
    throw new MaxRefusal(status, typeof code === "string" ? code : "", waitOf(given["retry-after"]));
  };
}

interface Exchange {
  method: string;
  headers: Record<string, string | number>;
  signal: AbortSignal;
  trusted: { ca?: string[] };
  payload: string | undefined;
  proxy: Proxied | null;
}

/** @throws MaxSilence */
async function socketTo(url: URL, proxy: Proxied, roots: string[] | null, signal: AbortSignal): Promise<Socket> {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  try {
    const socket = await proxy.connect({ host, port: Number(url.port || (secure ? 443 : 80)) }, { signal });
    return secure ? await secureSocket(socket, host, roots) : socket;
  } catch (error) {
    throw new MaxSilence(error, true);
  }
}

interface Raw {
  status: number;
  text: string;
  given: { date?: string | undefined; "retry-after"?: string | undefined };
}

async function exchange(url: URL, { method, headers, signal, trusted, payload, proxy }: Exchange): Promise<Raw> {
  const secure = url.protocol === "https:";
  const send = secure ? httpsRequest : httpRequest;
  const through = proxy && (await socketTo(url, proxy, trusted.ca ?? null, signal));
  const way = through === null ? { agent: false as const, ...trusted } : { createConnection: () => through };
  return new Promise((done, failed) => {
    let connected = through !== null;
    const fail = (error: unknown) => failed(new MaxSilence(error, !connected));
    const request = send(url, { method, headers, signal, ...way }, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BYTES) request.destroy(new RangeError("the answer is too long"));
      });
      answer.on("error", fail);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        done({ status: answer.statusCode ?? 0, text, given: answer.headers });
      });
    });
    request.on("socket", (socket) =>
      socket.once(secure ? "secureConnect" : "connect", () => {
        connected = true;
      }),
    );
    request.on("error", fail);
    request.end(payload);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function timeOf(date: string | undefined): number | null {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? null : at;
}

/** The header gives seconds. */
const waitOf = (header: string | undefined): number | null =>
  /^\d{1,5}$/.test(header ?? "") ? Number(header) * 1000 : null;
