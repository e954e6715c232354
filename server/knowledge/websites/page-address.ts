/** The addresses of a site's pages: what of a link may be asked for, and in which form it is one page and not several. */
import { plainHost } from "#server/platform/network/public-address.ts";
import { checkAddress } from "#server/platform/network/public-request.ts";

const MAX_ADDRESS = 2000;

/** Parameters that say where a visitor comes from and change nothing of the page. */
const TRACKING = /^(?:utm_|yclid$|ysclid$|gclid$|fbclid$|_openstat$|from$|ref$|roistat)/i;
/** Links to what is no page are not asked for. */
const FILES =
  /\.(?:jpe?g|png|gif|webp|svg|ico|avif|bmp|css|js|mjs|json|xml|rss|woff2?|ttf|eot|pdf|docx?|xlsx?|pptx?|csv|zip|rar|7z|gz|tar|exe|dmg|apk|mp3|mp4|avi|mov|webm|ogg|wav)$/i;

/** As the owner types it, always with TLS; null: no address of a site. `loopback`: this machine too, without TLS, in tests only. */
export function siteAddress(typed: string, loopback: boolean): URL | null {
  const text = typed.trim();
  if (text.length > MAX_ADDRESS) return null;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null) return null;
  const own = loopback && plainHost(url.hostname) === "127.0.0.1";
  if (!own) url.protocol = "https:";
  try {
    checkAddress(url, loopback);
  } catch {
    return null;
  }
  return own || url.port === "" ? url : null;
}

/** One form for each page: without fragment and tracking parameters. null: not of this site, or no page. */
export function pageAddress(link: string, base: URL, host: string): URL | null {
  const url = link.length > MAX_ADDRESS ? null : URL.parse(link.trim(), base.href);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "" || url.host !== host || FILES.test(url.pathname)) return null;
  // A link without TLS is the same page with it.
  url.protocol = base.protocol;
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  if (url.search === "?") url.search = "";
  return url.href.length > MAX_ADDRESS ? null : url;
}

/** «www.example.ru» and «example.ru» are one site, whichever leads to the other. */
export function isSameSite(one: string, other: string): boolean {
  return one.replace(/^www\./, "") === other.replace(/^www\./, "");
}
