/** Calls one server and tells of each what it met. */
import { setTimeout } from "node:timers/promises";

export interface Met {
  /** Method and route, ids left out. */
  route: string;
  ms: number;
  /** What should not have been; null when all is well. */
  error: string | null;
}
export type Heard = (met: Met) => void;

interface Options {
  headers?: Record<string, string>;
  /** Statuses that are as good as success. */
  also?: number[];
}
interface Answered {
  status: number;
  text: string;
}

export interface Caller {
  /** @throws Error when the answer is neither a success nor one of `also` */
  answer(method: string, path: string, body?: object, options?: Options): Promise<Answered>;
  done(method: string, path: string, body?: object): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: the load reads two or three fields of an answer.
  json(method: string, path: string, body?: object): Promise<any>;
  /** Reads events to the end. */
  stream(method: string, path: string, body: object): Promise<void>;
  /** Hangs up after so many milliseconds. */
  brokenOff(method: string, path: string, body: object | undefined, afterMs: number): Promise<void>;
  refused(path: string, status: number): Promise<void>;
  /** The same server with another token. */
  with(token: string): Caller;
}

/** A call that is not answered for so long counts as an error. */
const HANGS_MS = 15_000;
/** How often a call that an overloaded server has refused is made again, as the screens do (web/api/request.ts). */
const TRIES_AGAIN = 3;
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{5,}/g;

export function callerOf(base: string, heard: Heard, token?: string): Caller {
  const send = (method: string, path: string, body: object | undefined, headers: object, signal: AbortSignal) =>
    fetch(base + path, {
      method,
      signal,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });

  async function answer(method: string, path: string, body?: object, { headers = {}, also = [] }: Options = {}) {
    const started = performance.now();
    const met = (error: string | null) =>
      heard({
        route: `${method} ${path.replace(/\?.*/, "").replace(ID, ":id")}`,
        ms: performance.now() - started,
        error,
      });
    let response: Response;
    let text: string;
    try {
      for (let again = 0; ; again++) {
        response = await send(method, path, body, headers, AbortSignal.timeout(HANGS_MS));
        text = await response.text();
        if (response.status !== 503 || !text.includes('"overloaded"') || again === TRIES_AGAIN) break;
        await setTimeout(Number(response.headers.get("retry-after")) * 1000);
      }
    } catch (error) {
      const { name, cause } = error as Error;
      met(`${name} ${cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : ""}`);
      throw error;
    }
    const well = response.ok || also.includes(response.status);
    met(well ? null : `${response.status} ${text.slice(0, 200)}`);
    if (!well) throw new Error(`${method} ${path}: ${response.status}`);
    return { status: response.status, text };
  }

  return {
    answer,
    done: async (method, path, body) => void (await answer(method, path, body)),
    json: async (method, path, body) => JSON.parse((await answer(method, path, body)).text),
    stream: async (method, path, body) => {
      await answer(method, path, body, { headers: { accept: "text/event-stream" } });
    },
    refused: async (path, status) => void (await answer("GET", path, undefined, { also: [status] })),
    with: (other) => callerOf(base, heard, other),
    async brokenOff(method, path, body, afterMs) {
      try {
        const response = await send(method, path, body, { accept: "text/event-stream" }, AbortSignal.timeout(afterMs));
        await response.text();
      } catch {
        // That is what was wanted.
      }
    },
  };
}
