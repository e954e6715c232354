/** Which addresses an answer may contain: those that its own sources hold. */
import { memoized } from "#server/knowledge/memoize.ts";
import { addressesIn } from "./addresses.ts";

/** Pieces are separated by white space, quotes and brackets. U+FEFF does not count: it is removed, and its neighbours are joined. */
const PIECE = /[^\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000<>"«»“”„()[\]{}]+/gu;
/** «evil[.]com», «evil (dot) com», «evil точка ру»: addresses in disguise. */
const SPOKEN_DOT =
  /(?<=[\p{L}\p{N}])\s{0,2}(?:\[\s?(?:\.|dot|дот|точка)\s?\]|\(\s?(?:\.|dot|дот|точка)\s?\)|\{\s?(?:\.|dot|дот|точка)\s?\})\s{0,2}(?=[\p{L}\p{N}])/giu;
const SPOKEN_ZONE =
  /(?<=[\p{L}\p{N}])\s{1,2}(?:точка|дот|dot)\s{1,2}(ру|ком|рф|орг|инфо|ru|com|net|org|info|io|me|su|xyz|top|site|online|biz)(?![\p{L}\p{N}])/giu;
/** Top-level domains as they are spoken in Russian. */
const ZONES: Record<string, string> = { ру: "ru", ком: "com", орг: "org", инфо: "info" };
/** Every address holds at least one of these. */
const MAY_HOLD = /[.:@\u3002\uff0e\uff61\u2024\ufe52\uff1a\uff20]|localhost|точка|дот|dot/iu;

/** The piece with full-width letters and the dots of other scripts replaced by plain ones. */
const plain = (piece: string): string => piece.normalize("NFKC").replaceAll("\u3002", ".");

/** The same key for one address however it is written: scheme, www, case of the host and a last slash do not count. */
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

/** The address without punctuation that ends the sentence. */
export function withoutClosing(address: string): string {
  let end = address.length;
  while (end > 0 && ".,;:!?…*_~'`".includes(address[end - 1]!)) end--;
  return address.slice(0, end);
}

/** Keys of all addresses of a source and of their hosts. Remembered, because the same chunks come again. */
export const keysIn = memoized(2000, (source) => {
  const keys = new Set<string>();
  for (const [piece] of source.matchAll(PIECE)) {
    const text = plain(piece);
    for (const { start, end } of addressesIn(text)) {
      const key = addressKey(text.slice(start, end));
      keys.add(key);
      keys.add(/^[^/?#]*/.exec(key)![0]);
    }
  }
  return keys;
});

/** The text without addresses that it may not contain. */
export function withoutAddresses(text: string, mayLink: (key: string) => boolean): string {
  if (!MAY_HOLD.test(text)) return text;
  const spoken = text
    .replace(SPOKEN_DOT, ".")
    .replace(SPOKEN_ZONE, (_said, zone: string) => `.${ZONES[zone.toLowerCase()] ?? zone}`);
  // Text that only looks like a spoken address stays as it was where nothing is removed.
  const clean = pieceByPiece(spoken, mayLink);
  return clean === spoken ? text : clean;
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

/** The words with a space after the full stop: «готово.Пишите» is two sentences. */
const setApart = (chain: string): string => chain.replace(/\.(?=\p{L}{2})/gu, ". ");
