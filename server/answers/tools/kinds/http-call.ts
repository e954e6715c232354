/** Makes one HTTP call of a tool: to a checked public address, without redirects, bounded in time and size. */
import { TOOL_ANSWER_BYTES, TOOL_TIMEOUT_MS } from "#contract/actions/tool-settings.ts";
import type { ActArgument, StoredSettings } from "#server/platform/db/schema/tools.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { proxySentence } from "#server/platform/network/proxy-failure.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { checkAddress, requestPublic } from "#server/platform/network/public-request.ts";
import { listsPlaces, type Result, resultIn } from "../json-result.ts";

export type HttpSettings = Extract<StoredSettings, { kind: "http" }>;

export interface HttpRequest {
  method: HttpSettings["method"];
  url: URL;
  body: string | null;
}

export interface CallPlace {
  /** Values of the headers by name. */
  headers: Readonly<Record<string, string>>;
  /** Sent as `Idempotency-Key`; null for a trial of a read. */
  idempotencyKey: string | null;
  /** Whether this machine may be asked, in tests only. */
  loopback: boolean;
  /** null: it goes directly. */
  proxy: ProxySettings | null;
  signal: AbortSignal;
}

/** failed: it was surely not done. unknown: it may have been done. */
export type HttpOutcome =
  | { kind: "done"; status: number; answer: string; result: Result; json: unknown }
  | { kind: "failed" | "unknown"; status: number | null; answer: string; reason: string };

/** Fields of an address stand behind its host. */
const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9_]{0,39})\}/g;

/** The names that an address mentions. */
export const placeholdersIn = (url: string): string[] => [...url.matchAll(PLACEHOLDER)].map(([, name]) => name!);

/** @returns null when a value would change the path of the address */
export function buildRequest(settings: HttpSettings, values: readonly ActArgument[]): HttpRequest | null {
  const given = new Map(values.map(({ name, value }) => [name, value]));
  const inAddress = new Set(placeholdersIn(settings.url));
  const filled = settings.url.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(given.get(name) ?? ""));
  // «..» and «.» are segments of their own, whatever their encoding, so they would lead to another address.
  if ([...inAddress].some((name) => /^\.{1,2}$/.test((given.get(name) ?? "").trim()))) return null;
  const url = new URL(filled);
  if (url.host !== new URL(settings.url.replace(PLACEHOLDER, "x")).host) return null;
  const rest = values.filter(({ name }) => !inAddress.has(name));
  const inQuery = settings.method === "GET" || settings.method === "DELETE";
  if (inQuery) for (const { name, value } of rest) url.searchParams.set(name, value);
  const fields = new Map(settings.fields.map((field) => [field.name, field]));
  const typed = rest.map(({ name, value }) => [name, fields.get(name)?.type === "number" ? Number(value) : value]);
  return { method: settings.method, url, body: inQuery ? null : JSON.stringify(Object.fromEntries(typed)) };
}

/** Tries again once where a repeated call is done once. */
export async function callHttp(
  settings: HttpSettings,
  request: HttpRequest,
  { changes, ...place }: CallPlace & { changes: boolean },
): Promise<HttpOutcome> {
  const first = await callOnce(settings, request, { ...place, changes });
  const mayRepeat = settings.idempotent && first.kind !== "done" && (first.status === null || first.status >= 500);
  if (!mayRepeat || place.signal.aborted) return first;
  const again = await callOnce(settings, request, { ...place, changes });
  // The first try may have been done.
  return again.kind === "failed" && first.kind === "unknown" ? { ...again, kind: "unknown" } : again;
}

async function callOnce(
  settings: HttpSettings,
  { method, url, body }: HttpRequest,
  { headers, idempotencyKey, loopback, proxy, signal, changes }: CallPlace & { changes: boolean },
): Promise<HttpOutcome> {
  const lost = (reason: string, status: number | null = null, answer = ""): HttpOutcome => ({
    ...{ kind: changes ? "unknown" : "failed", status, answer, reason },
  });
  const refused = (reason: string, status: number | null = null, answer = ""): HttpOutcome => ({
    ...{ kind: "failed", status, answer, reason },
  });
  let answered: { status: number; body: string };
  try {
    checkAddress(url, loopback);
    answered = await requestPublic(url, {
      method,
      headers: {
        accept: "application/json",
        ...headers,
        ...(body === null ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === null ? {} : { body }),
      timeoutMs: TOOL_TIMEOUT_MS,
      ending: signal,
      loopback,
      proxy,
      maxBytes: TOOL_ANSWER_BYTES,
    });
  } catch (error) {
    if (error instanceof PrivateAddress) return refused("Адрес не публичный: запрос не отправлен");
    const ofProxy = proxySentence(error);
    if (ofProxy !== null) return refused(ofProxy);
    if (error instanceof RangeError) return lost("Ответ системы длиннее 64 КБ");
    return isUnsent(error) ? refused("Система не отвечает: соединения нет") : lost("Система не ответила вовремя");
  }
  const { status, body: text } = answered;
  if (status >= 500) return lost(`Система ответила ошибкой ${status}`, status, text);
  if (status >= 300 && status < 400) return refused(`Система перенаправляет на другой адрес (${status})`, status, text);
  if (status < 200 || status >= 400) return refused(`Система отказала: ответ ${status}`, status, text);
  const json = parsed(text);
  if (json === undefined && listsPlaces(settings))
    return (changes ? lost : refused)("Ответ системы не в том виде, который описан", status, text);
  return { kind: "done", status, answer: text, result: resultIn(settings, json ?? text), json };
}

/** Errors before the first byte of the request. */
const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "CERT_HAS_EXPIRED"]);
const isUnsent = (error: unknown): boolean => UNSENT.has((error as NodeJS.ErrnoException | null)?.code ?? "");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
