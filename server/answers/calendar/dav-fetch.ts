/**
 * `fetch` for the CalDAV client: to checked public addresses, bounded in time, size and number, and with the login to the entered host
 * and its neighbours alone, because a server itself says where its calendars are.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { proxySentence } from "#server/platform/network/proxy-failure.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { checkAddress, openPublic } from "#server/platform/network/public-request.ts";
import { CalendarTrouble } from "./calendar-trouble.ts";

export interface CalendarAccount {
  /** As it was entered: the address of the server, or of one calendar. */
  url: string;
  login: string;
  /** Of an application, not of the person. */
  password: string;
}

export interface DavRules {
  /** Whether this machine may be asked, in tests only. */
  loopback: boolean;
  /** null: requests go directly. */
  proxy: ProxySettings | null;
  signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 2_000_000;
/** Requests of one visit: finding the calendars takes one for each. */
const MAX_REQUESTS = 60;
const READ = ["content-type", "location", "etag"];

/** @throws CalendarTrouble */
export function davFetch({ url: entered, login, password }: CalendarAccount, rules: DavRules): typeof fetch {
  const home = new URL(entered);
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
  let left = MAX_REQUESTS;
  return async (given, init = {}) => {
    const url = new URL(given instanceof Request ? given.url : given);
    if (left-- <= 0)
      throw new CalendarTrouble("refused", "Сервер календаря отвечает слишком долго: укажите адрес одного календаря");
    if (!isNeighbour(home, url)) throw new CalendarTrouble("refused", "Сервер календаря отправляет на чужой адрес");
    try {
      checkAddress(url, rules.loopback);
      return await requested(
        url,
        { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), authorization } },
        rules,
      );
    } catch (error) {
      if (error instanceof CalendarTrouble) throw error;
      if (error instanceof PrivateAddress)
        throw new CalendarTrouble("refused", "Нужен публичный адрес по https", { cause: error });
      const ofProxy = proxySentence(error);
      if (ofProxy !== null) throw new CalendarTrouble("refused", ofProxy, { cause: error });
      const said = error instanceof RangeError ? "В календаре слишком много событий" : "Сервер календаря не отвечает";
      throw new CalendarTrouble("away", said, { cause: error });
    }
  };
}

/** The same host, or one below the same domain, as «p42-caldav.icloud.com» of «caldav.icloud.com». */
export function isNeighbour(home: URL, other: URL): boolean {
  if (other.hostname === home.hostname) return other.port === home.port;
  const parts = home.hostname.split(".");
  if (isIP(home.hostname.replace(/[[\]]/g, "")) !== 0 || parts.length < 3 || other.port !== home.port) return false;
  return other.hostname.endsWith(`.${parts.slice(-2).join(".")}`) && parts.at(-2)!.length > 3;
}

async function requested(url: URL, init: RequestInit, { loopback, proxy, signal }: DavRules): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const method = init.method ?? "GET";
  const headers = Object.fromEntries(new Headers(init.headers));
  const onAnswer = (answer: IncomingMessage) => {
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_BYTES) return;
      const tooLong = new RangeError("the answer is too long");
      reject(tooLong);
      answer.destroy(tooLong);
    });
    answer.on("end", () => resolve(responseOf(url, answer, Buffer.concat(chunks))));
    answer.on("error", reject);
    answer.on("close", () => reject(new Error("the answer was cut off")));
  };
  const request = await openPublic(
    url,
    loopback,
    { method, headers, proxy, signal: within },
    { onAnswer, onError: reject },
  );
  request.end(init.body == null ? undefined : String(init.body));
  return promise;
}

function responseOf(url: URL, answer: IncomingMessage, body: Buffer): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const name of READ) {
    const value = answer.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const isEmpty = [204, 205, 304].includes(status);
  const response = new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
  // The client reads it of a failure.
  Object.defineProperty(response, "url", { value: url.href });
  return response;
}
