/** Makes one call to a CRM, limited in time and rate; failures are mapped to the three kinds of CrmTrouble. */
import { setTimeout as pause } from "node:timers/promises";
import { requestPublic } from "#server/platform/network/public-request.ts";
import { CrmTrouble } from "./crm-system.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2_000_000;
/**
 * Milliseconds between calls of one account. amoCRM accepts seven a second, and the network may deliver several together; Bitrix24 accepts
 * two in the long run.
 */
export const BETWEEN_MS = { amocrm: 200, bitrix24: 550 };

interface CrmCall {
  system: keyof typeof BETWEEN_MS;
  /** The CRM's name in sentences for the user. */
  name: string;
  url: URL;
  method: "GET" | "POST";
  accessToken?: string;
  json?: unknown;
  ending?: AbortSignal | undefined;
  /** Whether a setting contains the address, as in tests; then it may be on this machine. */
  local: boolean;
}

/** When the next call may be made, by account. */
const free = new Map<string, number>();

async function waitForTurn(account: string, betweenMs: number, ending: AbortSignal | undefined): Promise<void> {
  const now = Date.now();
  const at = Math.max(free.get(account) ?? 0, now);
  free.set(account, at + betweenMs);
  if (at > now) await pause(at - now, undefined, ending === undefined ? {} : { signal: ending });
}

/**
 * Returns the response's JSON; `{}` if it has none (amoCRM's 204 of an empty list).
 * @throws CrmTrouble
 */
export async function callCrm({
  system,
  name,
  url,
  method,
  accessToken,
  json,
  ending,
  local,
}: CrmCall): Promise<unknown> {
  const away = (cause: unknown) => new CrmTrouble("away", `${name} не отвечает: попробуем ещё раз сами`, { cause });
  let answer: { status: number; body: string };
  try {
    await waitForTurn(url.host, BETWEEN_MS[system], ending);
    answer = await requestPublic(url, {
      method,
      headers: {
        accept: "application/json",
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      timeoutMs: TIMEOUT_MS,
      ending,
      loopback: local,
      maxBytes: MAX_BYTES,
    });
  } catch (error) {
    throw away(error);
  }
  const { status, body } = answer;
  if (status === 401) throw new CrmTrouble("auth", `${name} не принимает ключ`);
  if (status === 429 || status >= 500) throw away(new Error(`status ${status}`));
  const parsed = parse(body);
  if (status >= 200 && status < 300) return parsed;
  throw new CrmTrouble("refused", `${name} не принимает запрос (ответ ${status})`, { cause: parsed });
}

function parse(body: string): unknown {
  try {
    return body === "" ? {} : JSON.parse(body);
  } catch {
    return {};
  }
}
