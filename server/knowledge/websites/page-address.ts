/** Normalises addresses of a site's pages, so that each page has one address, and selects those that may be requested. */
import { plainHost } from "#server/platform/network/public-address.ts";
import { checkAddress } from "#server/platform/network/public-request.ts";

const MAX_ADDRESS = 2000;

/** Query parameters that only identify the visitor's origin. */
const TRACKING = /^(?:utm_|yclid$|ysclid$|gclid$|fbclid$|_openstat$|from$|ref$|roistat)/i;
/** File types that are no pages and are not requested. */
const FILES =
  /\.(?:jpe?g|png|gif|webp|svg|ico|avif|bmp|css|js|mjs|json|xml|rss|woff2?|ttf|eot|pdf|docx?|xlsx?|pptx?|csv|zip|rar|7z|gz|tar|exe|dmg|apk|mp3|mp4|avi|mov|webm|ogg|wav)$/i;

/** Parses an address typed by the owner, always as https; null: no site's address. `loopback`: tests may use this machine without TLS. */
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

/** Returns the page's single form, without fragment and tracking parameters; null: another site, or no page. */
export function pageAddress(link: string, base: URL, host: string): URL | null {
  const url = link.length > MAX_ADDRESS ? null : URL.parse(link.trim(), base.href);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "" || url.host !== host || FILES.test(url.pathname)) return null;
  // An http link leads to the same page as https.
  url.protocol = base.protocol;
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  if (url.search === "?") url.search = "";
  return url.href.length > MAX_ADDRESS ? null : url;
}

/** Treats «www.example.ru» and «example.ru» as one site. */
export function isSameSite(one: string, other: string): boolean {
  return one.replace(/^www\./, "") === other.replace(/^www\./, "");
}
