/**
 * GigaChat's access tokens: requested with the authorisation key, valid for 30 minutes, reused until shortly before they expire. Protocol:
 * developers.sber.ru/docs/ru/gigachat/api/reference/rest/post-token (read 2026-11-23): POST, `Authorization: Basic KEY`, `RqUID` a version
 * 4 UUID, form field `scope`; the answer is `{ access_token, expires_at }`, the expiry in milliseconds since 1970.
 */
import { randomUUID } from "node:crypto";
import type { GigachatScope } from "#contract/models/remote-model-presets.ts";

interface TokenSource {
  token(signal: AbortSignal | undefined): Promise<string>;
  /** Drops a token that the server has refused. */
  forget(token: string): void;
}

/** The authorisation server refused the request. Its text is not kept: it may quote the key. */
export class TokenRefused extends Error {
  override name = "TokenRefused";
  readonly status: number;
  /** GigaChat's error code, if the response has one; 5 to 7 concern the scope. */
  readonly code: number | null;

  constructor(status: number, code: number | null) {
    super(`HTTP ${status} for a token`);
    this.status = status;
    this.code = code;
  }
}

/** A token that expires within this time is not used. */
const MARGIN_MS = 60_000;
/** Assumed lifetime of a token whose response names no expiry. */
const DEFAULT_MS = 30 * 60_000;
const MAX_ANSWER = 20_000;

interface Options {
  send: typeof fetch;
  authUrl: string;
  key: string;
  scope: GigachatScope;
  now?: () => number;
}

export function gigachatTokens({ send, authUrl, key, scope, now = Date.now }: Options): TokenSource {
  let known: { token: string; until: number } | null = null;
  let asking: Promise<string> | null = null;

  /** The request is not aborted with its first caller, because others wait for the same token. */
  async function ask(): Promise<string> {
    const response = await send(authUrl, {
      method: "POST",
      headers: {
        authorization: `Basic ${key}`,
        rquid: randomUUID(),
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ scope }).toString(),
      signal: AbortSignal.timeout(15_000),
    });
    const answer = read((await response.text()).slice(0, MAX_ANSWER));
    if (!response.ok) throw new TokenRefused(response.status, typeof answer?.code === "number" ? answer.code : null);
    const { access_token: token, expires_at: end } = answer ?? {};
    if (typeof token !== "string" || !/^[\x21-\x7e]{1,8000}$/.test(token))
      throw new TokenRefused(response.status, null);
    known = { token, until: (typeof end === "number" && end > now() ? end : now() + DEFAULT_MS) - MARGIN_MS };
    return token;
  }

  return {
    async token(signal) {
      if (known !== null && now() < known.until) return known.token;
      asking ??= ask().finally(() => {
        asking = null;
      });
      const token = asking;
      if (signal === undefined) return token;
      signal.throwIfAborted();
      return Promise.race([
        token,
        new Promise<never>((_, reject) => {
          const stop = () => reject(signal.reason);
          signal.addEventListener("abort", stop, { once: true });
          token.finally(() => signal.removeEventListener("abort", stop)).catch(() => {});
        }),
      ]);
    },
    forget(token) {
      if (known?.token === token) known = null;
    },
  };
}

function read(text: string): { access_token?: unknown; expires_at?: unknown; code?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
