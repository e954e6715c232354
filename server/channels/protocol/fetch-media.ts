/** Fetches an original from where a platform keeps it: only from the platform's own hosts, bounded, without following anybody elsewhere. */
import type { Proxied } from "#server/network/proxy/proxied.ts";
import type { FetchLimits } from "./channel.ts";

/** It is gone, too large, or never was there: another try would not help. `message` is a Russian sentence for the owner. */
export class MediaLost extends Error {
  override name = "MediaLost";
}

export const TOO_LARGE = "Файл больше 20 МБ: такие не загружаются.";
const GONE = "Платформа больше не отдаёт этот файл.";
const FOREIGN = "Файл лежит не на серверах платформы, поэтому он не загружен.";

export interface FetchPlace {
  url: string;
  /** Sent along, such as the key; never to another host, because redirects are not followed. */
  headers?: Record<string, string>;
  /** Hosts, and with a dot before them all of their subdomains, that the platform keeps files at. */
  hosts: readonly string[];
  /** The platform's own address: files may lie at its origin too, also in tests and behind gateways. */
  apiUrl: string;
  /** Through which alone it is fetched; absent or null: directly. */
  proxy?: Proxied | null;
}

/** @throws MediaLost; the network's error, or `Error` for a status that may pass */
export async function fetchOriginal(place: FetchPlace, { signal, maxBytes }: FetchLimits): Promise<Buffer> {
  const url = URL.canParse(place.url) ? new URL(place.url) : null;
  if (url === null || !isOfPlatform(url, place)) throw new MediaLost(FOREIGN);
  const go = place.proxy?.fetch ?? fetch;
  const answer = await go(url, { headers: place.headers ?? {}, redirect: "error", signal });
  const { status } = answer;
  if (status !== 200) {
    await answer.body?.cancel();
    if (status === 429 || status === 408 || status >= 500) throw new Error(`HTTP ${status} for an original`);
    throw new MediaLost(GONE);
  }
  if (Number(answer.headers.get("content-length") ?? 0) > maxBytes) {
    await answer.body?.cancel();
    throw new MediaLost(TOO_LARGE);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const part of answer.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes > maxBytes) throw new MediaLost(TOO_LARGE);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts);
}

function isOfPlatform(url: URL, { hosts, apiUrl }: FetchPlace): boolean {
  if (url.username !== "" || url.password !== "") return false;
  if (url.origin === new URL(apiUrl).origin) return true;
  if (url.protocol !== "https:" || url.port !== "") return false;
  return hosts.some((host) => (host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host));
}
