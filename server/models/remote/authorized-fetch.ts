/**
 * Sends requests to a connected model with its provider's credentials: a key, or GigaChat's token, which is renewed once when it is
 * refused.
 */
import { GIGACHAT_AUTH_URL, type GigachatScope, type RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { gigachatTokens } from "./gigachat-token.ts";

export interface Access {
  preset: RemotePresetId;
  authUrl: string | null;
  key: string | null;
  scope: GigachatScope | null;
}

export function authorizedFetch(send: typeof fetch, { preset, authUrl, key, scope }: Access): typeof fetch {
  const withHeader = (init: RequestInit | undefined, value: string): RequestInit => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", value);
    return { ...init, headers };
  };
  if (key === null) return send;
  if (preset === "yandexgpt") return (input, init) => send(input, withHeader(init, yandexProof(key)));
  if (preset !== "gigachat") return (input, init) => send(input, withHeader(init, `Bearer ${key}`));
  const tokens = gigachatTokens({
    ...{ send, key, authUrl: authUrl ?? GIGACHAT_AUTH_URL, scope: scope ?? "GIGACHAT_API_PERS" },
  });
  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    const token = await tokens.token(signal);
    const answer = await send(input, withHeader(init, `Bearer ${token}`));
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    tokens.forget(token);
    return send(input, withHeader(init, `Bearer ${await tokens.token(signal)}`));
  };
}

/**
 * IAM tokens begin with «t1.» and are bearer tokens; all other values are API keys (yandex.cloud, «API authentication», read 2026-11-23).
 */
const yandexProof = (key: string): string => (key.startsWith("t1.") ? `Bearer ${key}` : `Api-Key ${key}`);
