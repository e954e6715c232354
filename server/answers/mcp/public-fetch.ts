/** `fetch` for the library's client: to checked public addresses only, without redirects, bounded in time and size. */
import type { IncomingMessage } from "node:http";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { checkAddress, openPublic } from "#server/platform/network/public-request.ts";
import { Redirected } from "./trouble.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface FetchRules {
  /** Whether this machine may be asked, in tests only. */
  loopback: boolean;
  /** null: requests go directly. */
  proxy: ProxySettings | null;
  /** Ends every request. */
  signal: AbortSignal;
  /** Milliseconds for one request with its answer. */
  timeoutMs: number;
  /** Bytes of an answer that are read. */
  maxBytes: () => number;
  /** Told what breaks an answer that has begun. */
  onFault?: (error: Error) => void;
}

/** Headers of an answer that the client reads. */
const READ = ["content-type", "mcp-session-id", "www-authenticate"];

/** @returns a function that throws PrivateAddress, Redirected, ProxyFailure, or the network's error; RangeError while a longer answer is read */
export function publicFetch({ loopback, proxy, signal, timeoutMs, maxBytes, onFault = () => {} }: FetchRules): Fetch {
  return async (given, init = {}) => {
    const url = new URL(given);
    checkAddress(url, loopback);
    const signals = [signal, AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = init.body == null ? undefined : String(init.body);
    if (init.body instanceof URLSearchParams) headers["content-type"] ??= "application/x-www-form-urlencoded";
    const request = await openPublic(
      url,
      loopback,
      { method: init.method ?? "GET", headers, proxy, signal: AbortSignal.any(signals) },
      {
        onAnswer: (answer) => {
          try {
            resolve(responseOf(answer, maxBytes(), onFault));
          } catch (error) {
            answer.destroy();
            reject(error as Error);
          }
        },
        onError: reject,
      },
    );
    request.end(body);
    return promise;
  };
}

function responseOf(answer: IncomingMessage, maxBytes: number, onFault: (error: Error) => void): Response {
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) throw new Redirected(`answered ${status}`);
  const headers = new Headers();
  for (const name of READ) {
    const value = answer.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  if (status === 204 || status === 205) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(boundedBody(answer, maxBytes, onFault), { status, headers });
}

function boundedBody(
  answer: IncomingMessage,
  maxBytes: number,
  onFault: (error: Error) => void,
): ReadableStream<Uint8Array> {
  let size = 0;
  let over = false;
  return new ReadableStream({
    start(controller) {
      const end = (work: () => void) => {
        if (!over) work();
        over = true;
      };
      const fail = (error: Error) =>
        end(() => {
          onFault(error);
          controller.error(error);
        });
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (over) return;
        if (size <= maxBytes) return controller.enqueue(chunk);
        fail(new RangeError("the answer is too long"));
        answer.destroy();
      });
      answer.on("end", () => end(() => controller.close()));
      answer.on("error", fail);
      answer.on("close", () => fail(new Error("the answer was cut off")));
    },
    cancel() {
      over = true;
      answer.destroy();
    },
  });
}
