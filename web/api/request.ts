import type { Endpoint, In } from "#contract/endpoint.ts";
import { AnswerMismatch, ApiError, codeOf } from "./api-error.ts";
import { announceSessionExpired, authorization, authToken } from "./auth-token.ts";
import { announceBusy } from "./busy-server.ts";
import { translateAnswer } from "./translated-answer.ts";

type Named<Name extends string, S> = In<S> extends undefined ? unknown : Record<Name, In<S>>;

/** Arguments of a call: params, query and input as its endpoint declares them, and an abort signal. */
type CallOptions<E extends Endpoint> = Named<"params", E["params"]> &
  Named<"input", E["input"]> & { query?: In<E["query"]>; signal?: AbortSignal; headers?: Record<string, string> };

/** An endpoint without arguments may be called without options. */
export type OptionsArgument<E extends Endpoint> =
  Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

/** Like `CallOptions`, for code that handles any endpoint. */
export interface LooseOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  input?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * Sends the request with cookies, bearer token, and a JSON content type only when there is a body. Throws `ApiError` for an error status.
 */
export async function request(endpoint: Endpoint, options: LooseOptions): Promise<Response> {
  const { input, signal } = options;
  const form = input instanceof FormData;
  const token = authToken();
  const response = await fetchPatiently(addressOf(endpoint, options), {
    method: endpoint.method,
    credentials: "include",
    headers: {
      ...authorization(),
      ...(input !== undefined && !form ? { "content-type": "application/json" } : {}),
      ...options.headers,
    },
    ...(input === undefined ? {} : { body: form ? input : JSON.stringify(input) }),
    ...(signal ? { signal } : {}),
  });
  return ensureOk(response, token);
}

/** Sends a GET request to an address. Throws `ApiError` for an error status. */
export async function requestAddress(path: string, query: Record<string, unknown> | undefined, signal: AbortSignal) {
  const token = authToken();
  const response = await fetchPatiently(path + searchOf(query), {
    credentials: "include",
    headers: authorization(),
    signal,
  });
  return ensureOk(response, token);
}

/** Number of tries of a call that an overloaded server rejects. */
const TRIES = 3;
/** Longest wait between two tries in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/**
 * A server that is overloaded or shutting down rejects requests before reading them, so any request may be repeated. After a
 * shutdown one repetition is enough, because another process has taken over or the server is back by then.
 */
async function fetchPatiently(address: string, init: RequestInit): Promise<Response> {
  for (let left = TRIES; ; left--) {
    const response = await fetch(address, init);
    if (response.status !== 503 || left === 0) return response;
    const refusal = await ApiError.from(response.clone());
    const stopping = codeOf(refusal) === "stopping";
    if (!stopping && codeOf(refusal) !== "overloaded") return response;
    if (stopping) left = 1;
    announceBusy();
    await pause(Math.min((refusal.retryAfter ?? 1) * 1000, LONGEST_WAIT_MS), init.signal);
  }
}

/** Waits; rejects like `fetch` when the call is aborted. */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** @param token the token that the call was made with */
async function ensureOk(response: Response, token: string | null): Promise<Response> {
  if (response.ok) return response;
  const error = await ApiError.from(response);
  if (response.status === 401) announceSessionExpired(token);
  throw error;
}

/** Returns the parsed body; undefined when it is empty. Throws `AnswerMismatch` when it is not JSON. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(import.meta.env.TRANSLATED ? await translateAnswer(text, response.url) : text);
  } catch {
    throw new AnswerMismatch(response.url, "not JSON");
  }
}

/** Returns the path with its params filled in and the query appended; undefined, null and "" are left out of the query. */
export function addressOf(endpoint: Pick<Endpoint, "path">, { params, query }: Pick<LooseOptions, "params" | "query">) {
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params?.[name];
    if (value === undefined) throw new Error(`${endpoint.path} needs the parameter ${name}`);
    return encodeURIComponent(String(value));
  });
  return path + searchOf(query);
}

function searchOf(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  return search.size > 0 ? `?${search}` : "";
}
