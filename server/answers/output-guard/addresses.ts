/**
 * Finds addresses by their structure, whatever the domain: everything that a messenger turns into a link or a person could follow. It
 * needs no list of top-level domains (docs/decisions/018-untrusted-text.md).
 */

import { FILE_ENDINGS } from "./file-endings.ts";
import { isNarrowZone } from "./zones.ts";

interface Found {
  start: number;
  end: number;
  /** `typo`: two sentences without a space after the full stop, which look like a domain. */
  kind: "address" | "typo";
}

/** Schemes that form an address without «//»; any other word before a colon is ordinary. */
const OPAQUE = new Set(
  "mailto tel sms callto facetime javascript data vbscript tg tonsite viber whatsapp skype slack discord intent geo magnet file about blob view-source jar market bitcoin ton urn news sip sips xmpp matrix im web+ap".split(
    " ",
  ),
);
/** Words of any script joined by dots, as in a domain; hyphens only inside a word. */
const CHAIN = /(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)+/gu;
const SCHEME = /(?<![a-z0-9+.-])[a-z][a-z0-9+.*-]{0,30}:/giu;
const IPV6 =
  /(?<![\p{L}\p{N}:.])[0-9a-f]{0,4}(?::{1,2}[0-9a-f]{1,4}){1,8}(?::{2})?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}:])::(?![\p{L}\p{N}:])/giu;
const LOCAL = /(?<![\p{L}\p{N}._-])localhost(?=[:/?#\\]|$)/giu;
/** Platforms recognise a handle after any character but a letter or digit; VK's handles may contain a full stop. */
const HANDLE = /(?<![\p{L}\p{N}_])@{1,3}[a-z][a-z0-9_.]{0,30}[a-z0-9_](?![\p{L}\p{N}_])/giu;

/** Returns the addresses in a text without white space, from left to right, without overlaps. */
export function addressesIn(piece: string): Found[] {
  const found: Found[] = [];
  for (const { index, 0: scheme } of piece.matchAll(SCHEME)) {
    if (isAddressScheme(scheme, piece.slice(index + scheme.length, index + scheme.length + 3))) {
      found.push({ start: index, end: piece.length, kind: "address" });
      break;
    }
  }
  const whole = found[0]?.start ?? piece.length;
  const at = mailIn(piece.slice(0, whole));
  if (at !== null) return [at, ...found];
  for (const match of piece.slice(0, whole).matchAll(CHAIN)) {
    const end = tailEnd(piece, match.index + match[0].length);
    const kind = kindOf(match[0], end > match.index + match[0].length);
    if (kind === null) continue;
    found.push({ start: kind === "typo" ? match.index : slashesBefore(piece, match.index), end, kind });
  }
  for (const pattern of [IPV6, LOCAL, HANDLE]) {
    for (const { index, 0: text } of piece.slice(0, whole).matchAll(pattern)) {
      if (pattern === IPV6 && !isIpv6(text)) continue;
      found.push({ start: slashesBefore(piece, index), end: tailEnd(piece, index + text.length), kind: "address" });
    }
  }
  return apart(found);
}

function isAddressScheme(scheme: string, behind: string): boolean {
  if (behind.startsWith("//") || behind.startsWith("\\\\")) return true;
  return behind !== "" && OPAQUE.has(scheme.slice(0, -1).toLowerCase());
}

/** Finds «anna@example.ru» and «root@localhost»: anything before an @ with a possible host after it. */
function mailIn(piece: string): Found | null {
  const at = piece.indexOf("@", 1);
  if (at < 0 || !/[\p{L}\p{N}]/u.test(piece[at - 1]!) || !/^[\p{L}\p{N}[]/u.test(piece.slice(at + 1))) return null;
  const host = /^[\p{L}\p{N}\p{M}._-]*/u.exec(piece.slice(at + 1))![0];
  if (!/\p{L}/u.test(host) && !/^\d+(?:\.\d+){3}$/.test(host)) return null;
  return { start: 0, end: piece.length, kind: "address" };
}

function kindOf(chain: string, hasTail: boolean): Found["kind"] | null {
  const labels = chain.split(".");
  const last = labels.at(-1)!;
  if (labels.some((label) => label.startsWith("-") || label.endsWith("-") || label.length > 63))
    return hasTail ? "address" : null;
  if (labels.every((label) => /^(?:0x[0-9a-f]+|\d+)$/i.test(label))) {
    return labels.length === 4 || labels.some((label) => /^0x/i.test(label)) || (hasTail && labels.length === 2)
      ? "address"
      : null;
  }
  if (/^xn--/i.test(last)) return "address";
  if (/[\p{N}_-]/u.test(last) || [...last].length < 2) return null;
  if (hasTail) return "address";
  const before = labels.at(-2)!;
  // «Evil.Com» has capitals, but does not end a sentence.
  if (isNarrowZone(last) && /^[a-z0-9-]+$/i.test(before)) return "address";
  // In «готово.Пишите» and «done.Next» the second word starts a sentence; with a space it is no address.
  if (/^\p{Lu}\p{Ll}/u.test(last) && /\p{Ll}$/u.test(before)) return "typo";
  if (/^\p{Script=Cyrillic}+$/u.test(last))
    return CYRILLIC_ZONES.has(last.toLowerCase()) && before.length > 1 ? "address" : "typo";
  // «Xorg.0.log» is a file too.
  const isFile = labels.slice(1, -1).every((label) => /^\d+$/.test(label)) && FILE_ENDINGS.has(last.toLowerCase());
  return isFile ? null : "address";
}

/** Cyrillic top-level domains, whose addresses are removed whole; before any other Cyrillic word only a space is inserted. */
const CYRILLIC_ZONES = new Set(
  "рф рус дети москва онлайн сайт орг ком бел укр бг мкд мон срб ею қаз католик".split(" "),
);

/** IPv6 has eight groups, or fewer with «::»; a time of day has neither. */
function isIpv6(text: string): boolean {
  if (text.includes("::")) return text.indexOf("::") === text.lastIndexOf("::") && (text.length > 2 || text === "::");
  return text.split(":").length === 8;
}

function tailEnd(piece: string, end: number): number {
  return /^(?:\.?[/?#\\%]|\.?:\d{2,5}(?!\d))/.test(piece.slice(end, end + 8)) ? piece.length : end;
}

export function withoutClosing(address: string): string {
  let end = address.length;
  while (end > 0 && ".,;:!?…*_~'`".includes(address[end - 1]!)) end--;
  return address.slice(0, end);
}

function slashesBefore(piece: string, start: number): number {
  let at = start;
  while (at > 0 && "/\\".includes(piece[at - 1]!)) at--;
  return at;
}

function apart(found: Found[]): Found[] {
  const sorted = found.sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: Found[] = [];
  for (const one of sorted) if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return kept;
}
