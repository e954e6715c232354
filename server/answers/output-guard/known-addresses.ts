import { memoize } from "#server/platform/text/memoize.ts";
import { addressesIn, withoutClosing } from "./addresses.ts";
import { mentionKey, namedIn } from "./mentions.ts";
import { findSpacedAddresses } from "./spaced-addresses.ts";

/** Pieces are separated by white space, quotes and brackets. U+FEFF is no separator: its removal joins its neighbours. */
const PIECE = /[^\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000<>"«»“”„()[\]{}]+/gu;
/** Every address contains at least one of these. */
const MAY_HOLD =
  /[.:@\u3002\uff0e\uff61\u2024\ufe52\uff1a\uff20\u00b7\u2022\u2219\u22c5\u30fb]|localhost|точка|дот|dot/iu;

const plain = (piece: string): string => piece.normalize("NFKC").replaceAll("\u3002", ".");

/** Returns the same key for all spellings of one address: scheme, www, case of the host and a final slash do not count. */
export function addressKey(address: string): string {
  const bare = plain(address)
    .replace(/^https?:\/\//i, "")
    .replace(/^\/\//, "")
    .replace(/^www\./i, "");
  const said = withoutClosing(bare);
  const host = /^[^/?#]*/.exec(said)![0];
  const path = said.slice(host.length);
  return host.toLowerCase() + (path.endsWith("/") ? path.slice(0, -1) : path);
}

/** Keys of a source's addresses, their hosts and mentioned accounts. Memoised, because the same chunks recur. */
export const keysIn = memoize(2000, (source) => {
  const keys = new Set<string>();
  const add = (address: string) => {
    const key = addressKey(address);
    const host = /^[^/?#]*/.exec(key)![0];
    keys.add(key).add(host);
    if (NETWORKS.has(host)) keys.add(`@${key.slice(host.length + 1).toLowerCase()}`);
  };
  for (const [piece] of source.matchAll(PIECE)) {
    const text = plain(piece);
    for (const { start, end } of addressesIn(text)) add(text.slice(start, end));
  }
  for (const { address } of findSpacedAddresses(source)) add(address);
  for (const name of namedIn(source)) keys.add(mentionKey(name));
  return keys;
});

/** Hosts where the account «@name» has the page «host/name». */
const NETWORKS = new Set(["vk.com", "vk.ru", "m.vk.com", "t.me"]);

export function withoutAddresses(text: string, mayLink: (key: string) => boolean): string {
  return MAY_HOLD.test(text) ? pieceByPiece(withoutApart(text, mayLink), mayLink) : text;
}

function withoutApart(text: string, mayLink: (key: string) => boolean): string {
  let left = "";
  let at = 0;
  for (const { start, end, address } of findSpacedAddresses(text)) {
    if (mayLink(addressKey(address))) continue;
    left += text.slice(at, start);
    at = end;
  }
  return at === 0 ? text : left + text.slice(at);
}

function pieceByPiece(text: string, mayLink: (key: string) => boolean): string {
  return text.replace(PIECE, (piece) => {
    const read = plain(piece);
    let left = "";
    let at = 0;
    for (const { start, end, kind } of addressesIn(read)) {
      const address = read.slice(start, end);
      if (mayLink(addressKey(address))) continue;
      const said = withoutClosing(address);
      left += read.slice(at, start) + (kind === "typo" ? setApart(address) : address.slice(said.length));
      at = end;
    }
    return at === 0 ? piece : left + read.slice(at);
  });
}

/** Inserts a space after the full stop: «готово.Пишите» is two sentences. */
const setApart = (chain: string): string => chain.replace(/\.(?=\p{L}{2})/gu, ". ");
