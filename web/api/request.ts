import type { Endpoint, In } from "#contract/endpoint.ts";
import { AnswerMismatch, ApiError } from "./api-error.ts";
import { announceSessionExpired, authorization, authToken } from "./auth-token.ts";

type Named<Name extends string, S> = In<S> extends undefined ? unknown : Record<Name, In<S>>;

/** Arguments of a call: params, query and input as its endpoint declares them, and an abort signal. */
export type CallOptions<E extends Endpoint> = Named<"params", E["params"]> &
  Named<"input", E["input"]> & { query?: In<E["query"]>; signal?: AbortSignal; headers?: Record<string, string> };

/** An endpoint that takes nothing may be called without options. */
export type Given<E extends Endpoint> =
  Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

/** Like `CallOptions`, for code that handles any endpoint. */
export interface LooseOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  input?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** The request itself: cookies, bearer, a JSON content type only when a body exists. Throws `ApiError` when not ok. */
export async function request(endpoint: Endpoint, options: LooseOptions): Promise<Response> {
  const { input, signal } = options;
  const form = input instanceof FormData;
  const token = authToken();
  const response = await fetch(addressOf(endpoint, options), {
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

/** A GET of an address. Throws `ApiError` when not ok. */
export async function requestAddress(path: string, query: Record<string, unknown> | undefined, signal: AbortSignal) {
  const token = authToken();
  const response = await fetch(path + searchOf(query), { credentials: "include", headers: authorization(), signal });
  return ensureOk(response, token);
}

/** @param token the token that the call was made with */
async function ensureOk(response: Response, token: string | null): Promise<Response> {
  if (response.ok) return response;
  const error = await ApiError.from(response);
  if (response.status === 401) announceSessionExpired(token);
  throw error;
}

/** What an answer holds; undefined where it is empty. Throws `AnswerMismatch` when it is not JSON. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new AnswerMismatch(response.url, "not JSON");
  }
}

/** Path with its params filled in, and the query; undefined, null and "" are left out of the query. */
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
