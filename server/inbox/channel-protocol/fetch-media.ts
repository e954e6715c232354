/** Fetches an original within limits of time and size. Requests and redirects go only to the platform's own hosts. */
import { getCACertificates } from "node:tls";
import type { Proxied } from "#server/platform/network/proxied.ts";
import type { FetchLimits } from "./channel.ts";

/** The original is gone, too large or never existed, so a retry cannot help. `message` is a Russian sentence for the owner. */
export class MediaUnavailable extends Error {
  override name = "MediaUnavailable";
}

export const TOO_LARGE = "Файл больше 20 МБ: такие не загружаются.";
const GONE = "Платформа больше не отдаёт этот файл.";
const FOREIGN = "Файл лежит не на серверах платформы, поэтому он не загружен.";

interface FetchPlace {
  url: string;
  /** Request headers, such as the key. A redirect never receives them. */
  headers?: Record<string, string>;
  /** Hosts where the platform stores files; a leading dot includes all subdomains. */
  hosts: readonly string[];
  /** The platform's API address; files may have this origin too, also in tests and behind gateways. */
  apiUrl: string;
  /** The only way to fetch the file when set; absent or null: fetched directly. */
  proxy?: Proxied | null;
  /** Number of redirects that are followed, 0 by default. */
  redirects?: number;
  /** Root certificates (PEM) that are trusted besides the usual ones. */
  roots?: readonly string[];
}

/** @throws MediaUnavailable; errors of the network, or `Error` for a status after which a retry may help */
export async function fetchOriginal(place: FetchPlace, { signal, maxBytes }: FetchLimits): Promise<Buffer> {
  const answer = await ask(place, signal);
  const { status } = answer;
  if (status !== 200) {
    await answer.body?.cancel();
    if (status === 429 || status === 408 || status >= 500) throw new Error(`HTTP ${status} for an original`);
    throw new MediaUnavailable(GONE);
  }
  if (Number(answer.headers.get("content-length") ?? 0) > maxBytes) {
    await answer.body?.cancel();
    throw new MediaUnavailable(TOO_LARGE);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const part of answer.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes > maxBytes) throw new MediaUnavailable(TOO_LARGE);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts);
}

/** Returns the first response that is not a redirect. */
async function ask(place: FetchPlace, signal: AbortSignal): Promise<Response> {
  const go = await wayTo(place);
  let { url, headers = {} } = place;
  for (let left = place.redirects ?? 0; ; left--) {
    const to = URL.canParse(url) ? new URL(url) : null;
    if (to === null || !isOfPlatform(to, place)) throw new MediaUnavailable(FOREIGN);
    const answer = await go(to.href, { headers, redirect: "manual", signal });
    const next = answer.headers.get("location");
    if (answer.status < 300 || answer.status > 399 || next === null) return answer;
    await answer.body?.cancel();
    if (left <= 0) throw new MediaUnavailable(FOREIGN);
    url = URL.canParse(next, to.href) ? new URL(next, to.href).href : next;
    headers = {};
  }
}

async function wayTo({ proxy, roots = [] }: FetchPlace): Promise<typeof fetch> {
  if (roots.length === 0) return proxy?.fetch ?? fetch;
  const trusted = [...getCACertificates("default"), ...roots];
  if (proxy) return proxy.fetchTrusting(trusted);
  const { fetchTrusting } = await import("#server/platform/network/fetch-trusting.ts");
  return fetchTrusting(trusted);
}

function isOfPlatform(url: URL, { hosts, apiUrl }: FetchPlace): boolean {
  if (url.username !== "" || url.password !== "") return false;
  if (url.origin === new URL(apiUrl).origin) return true;
  if (url.protocol !== "https:" || url.port !== "") return false;
  return hosts.some((host) => (host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host));
}
