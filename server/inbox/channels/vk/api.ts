/**
 * Calls VK's API through vk-io. Its queue is not used: it would retry refused requests and ignore our rate limit. Nor is its Long Poll,
 * which continues before an event is stored. https://dev.vk.com/ru/api/api-requests
 */
import { globalAgent as plainAgent } from "node:http";
import { type Agent, globalAgent } from "node:https";
import * as z from "zod/mini";
import type { Proxied } from "#server/platform/network/proxied.ts";

export const API_VERSION = "5.199";

export interface VkAccess {
  token: string;
  /** https://api.vk.ru/method, or a server with the same API. */
  apiUrl: string;
  /** The only way to call VK when set; absent or null: directly. */
  proxy?: Proxied | null;
}

/** A refusal by VK, without its text, which quotes what was sent. */
export class VkRefusal extends Error {
  /** https://dev.vk.com/ru/reference/errors */
  readonly code: number;

  constructor(code: number) {
    super(`VK refused: ${code}`);
    this.code = code;
  }
}

interface CallLimits {
  ms: number;
  /** When aborted, the caller no longer waits for the response. */
  signal?: AbortSignal | undefined;
}

export type VkCall = (method: string, params: Record<string, unknown>, limits: CallLimits) => Promise<unknown>;

const Refusal = z.object({ error: z.object({ error_code: z.number() }) });
const Answer = z.object({ response: z.unknown() });

/** @returns a function that throws VkRefusal, or the error that broke the connection */
export function vkCall({ token, apiUrl, proxy = null }: VkAccess): VkCall {
  const tls = !apiUrl.startsWith("http:");
  return async (method, params, { ms, signal }) => {
    signal?.throwIfAborted();
    // The library replaces the connection's error by its own, so the original is kept.
    let unmade: Error | null = null;
    const own = proxy?.agent(tls, (error) => {
      unmade = error;
    });
    // Lazy import: the library is loaded when the first community is called.
    const { API, APIRequest } = await import("vk-io");
    const options = {
      token,
      apiBaseUrl: apiUrl,
      apiVersion: API_VERSION,
      apiTimeout: ms,
      language: "ru",
      // The library accepts the agent of either protocol, but its type names only one.
      agent: (own ?? (tls ? globalAgent : plainAgent)) as Agent,
    } as const;
    const request = new APIRequest({ api: new API(options), method, params });
    const answer: unknown = await unlessAborted(request.make(), signal).catch((error: unknown) => {
      throw unmade ?? error;
    });
    const refusal = Refusal.safeParse(answer);
    if (refusal.success) throw new VkRefusal(refusal.data.error.error_code);
    return Answer.parse(answer).response;
  };
}

/** The request takes no signal: it ends by its time limit, and no caller waits for it. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
