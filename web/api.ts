import type { QueryFunctionContext, QueryKey } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { Endpoint, In, Out } from "#contract/endpoint.ts";
import { AnswerMismatch, ApiError } from "./api-error.ts";
import { announceSessionExpired, authorization, authToken } from "./auth-token.ts";
import { noteLeftOut } from "./left-out.ts";
import { readLeniently } from "./lenient-reading.ts";

export {
  AnswerMismatch,
  ApiError,
  generationMessageOf,
  isNetworkError,
  messageOf,
  serverSentenceOf,
} from "./api-error.ts";

// Compiling validators needs `new Function`, which the content security policy forbids.
z.config({ jitless: true });

type Given<Name extends string, S> = In<S> extends undefined ? unknown : Record<Name, In<S>>;

/** What a call takes: params, query and input as its endpoint declares them, and a signal to abort. */
export type CallOptions<E extends Endpoint> = Given<"params", E["params"]> &
  Given<"input", E["input"]> & { query?: In<E["query"]>; signal?: AbortSignal; headers?: Record<string, string> };

type Answer<E extends Endpoint> = Out<E["output"]>;

/**
 * Makes one call of the contract and checks its answer.
 * Throws `ApiError` when the answer is not ok, `AnswerMismatch` when its shape is wrong, `TypeError` when there is no network.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  // An endpoint that takes nothing may be called without options.
  ...[options]: Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]
): Promise<Answer<E>> {
  const given = (options ?? {}) as LooseOptions;
  return checkAnswer(endpoint, await bodyOf(await send(endpoint, given)), addressOf(endpoint, given));
}

/**
 * One page of a list. `rows` are those that can be read, `sent` counts those that came: only that tells whether the page was full.
 * Throws as `call` does.
 */
export async function readPageOf<E extends Endpoint>(
  endpoint: E,
  given: LooseOptions,
): Promise<{ rows: Answer<E>; sent: number }> {
  const body = await bodyOf(await send(endpoint, given));
  const rows = checkAnswer(endpoint, body, addressOf(endpoint, given));
  return { rows, sent: Array.isArray(body) ? body.length : 0 };
}

export interface LooseOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  input?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** The request itself: cookies, bearer, a JSON content type only when a body exists. Throws `ApiError` when not ok. */
export async function send(endpoint: Endpoint, options: LooseOptions): Promise<Response> {
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

/** `token` is what the call carried. */
async function ensureOk(response: Response, token: string | null): Promise<Response> {
  if (response.ok) return response;
  const error = await ApiError.from(response);
  if (response.status === 401) announceSessionExpired(token);
  throw error;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new AnswerMismatch(response.url, "not JSON");
  }
}

/**
 * The answer as the contract types it. Rows of its lists that cannot be read are left out, and whatever screen shows the read says so
 * (left-out.ts); `address` tells reads of one endpoint apart.
 */
export function checkAnswer<E extends Endpoint>(
  endpoint: E,
  body: unknown,
  address: string = endpoint.path,
): Answer<E> {
  if (!endpoint.output) return undefined as Answer<E>;
  const result = readLeniently(endpoint.output, body);
  if ("issue" in result) {
    const { path, message, code } = result.issue;
    throw new AnswerMismatch(
      `${endpoint.method} ${endpoint.path}`,
      `${path.join(".") || "ответ целиком"}: ${message ?? code}`,
    );
  }
  if (endpoint.method === "GET") noteLeftOut(address, endpoint.path, result.read.leftOut);
  return result.read.data as Answer<E>;
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

/**
 * Key and function of a query for one GET of the contract: `useQuery(queryOf(twinsApi.list))`.
 * The key is the path split before its first parameter, so `["/api/digital-twins"]` invalidates the list and each of its twins.
 */
export function queryOf<E extends Endpoint>(
  endpoint: E,
  ...[options]: Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]
) {
  const given = (options ?? {}) as LooseOptions;
  return {
    queryKey: queryKeyOf(endpoint, given),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Answer<E>> =>
      checkAnswer(endpoint, await bodyOf(await send(endpoint, { ...given, signal })), addressOf(endpoint, given)),
  };
}

export function queryKeyOf(endpoint: Pick<Endpoint, "path">, given: Pick<LooseOptions, "params" | "query">): QueryKey {
  const [base, ...rest] = endpoint.path.split(/\/(?=:)/);
  const parts = rest.flatMap((part) =>
    addressOf({ path: `/${part}` }, given)
      .slice(1)
      .split("/"),
  );
  return [base, ...parts, ...(given.query ? [given.query] : [])];
}

/** The default read: GET on the key's parts joined by «/»; an object at the end becomes the query string. */
export async function queryByKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const last = queryKey.at(-1);
  const query = typeof last === "object" && last !== null ? (last as Record<string, unknown>) : undefined;
  const path = (query ? queryKey.slice(0, -1) : queryKey).join("/");
  const token = authToken();
  const response = await fetch(path + searchOf(query), { credentials: "include", headers: authorization(), signal });
  return bodyOf(await ensureOk(response, token));
}
