/**
 * What every reply loses before anyone reads it: pictures, links that no source holds, HTML, invisible characters, and a
 * claim to be human. A picture or a link made by an injected instruction would carry private text away when shown.
 */
import { remembered } from "#server/knowledge/remembered.ts";
import { CLAIM_BEGUN, HUMAN_CLAIM } from "./disclosure.ts";
import { visibleText } from "./visible-text.ts";

export interface OutputGuard {
  /** What may be shown now; the rest is held until what follows it is known. */
  push(delta: string): string;
  end(): string;
}

/** @param sources texts whose links may be said again: passages, the owner's replies, the owner's description. */
export function guardOutput(text: string, sources: readonly string[]): string {
  const guard = outputGuard(sources);
  return guard.push(text) + guard.end();
}

/** The guard for a stream; whatever way a text is cut into deltas, what comes out is the same. */
export function outputGuard(sources: readonly string[]): OutputGuard {
  // Few replies hold a link, and looking through all that one may stand in is dear.
  let known: ReadonlySet<string> | undefined;
  const mayLink = (url: string) => {
    known ??= new Set(sources.flatMap(linksIn));
    return known.has(linkKey(url));
  };
  let held = "";
  let space = "";
  let begun = false;
  const emit = (text: string) => {
    const clean = (space + cleaned(text, mayLink)).replace(/[ \t]{2,}/g, " ");
    const shown = clean.trimEnd();
    space = clean.slice(shown.length);
    if (begun || shown === "") return shown;
    begun = true;
    return shown.trimStart();
  };
  return {
    push(delta) {
      held += delta;
      const ready = settledLength(held);
      const text = held.slice(0, ready);
      held = held.slice(ready);
      return text === "" ? "" : emit(text);
    },
    end() {
      const text = held;
      held = "";
      return emit(text);
    },
  };
}

/** Whatever is longer is no link, no tag: it need not be waited for. */
const LABEL = String.raw`[^\][]{0,300}`;
const TARGET = String.raw`[^)\n]{0,1000}`;
const INSIDE_TAG = `[^<>]{0,1000}`;

/** Up to the last space across which nothing is open: no address, link, tag or claim can be cut there. */
function settledLength(text: string): number {
  for (let at = text.length - 2; at > 0; at--) {
    if (!isSpace(text, at) || isSpace(text, at + 1) || isSpace(text, at - 1)) continue;
    const before = text.slice(Math.max(0, at - 1100), at);
    if (isOpen(before) || CLAIM_BEGUN.test(before.slice(-100))) continue;
    if (before.endsWith("]") && text[at + 1] === "(") continue;
    return at;
  }
  return 0;
}

/** Whether a label, a target or a tag is open at the end. By index, not by pattern: a text of brackets must stay cheap. */
function isOpen(before: string): boolean {
  const label = before.lastIndexOf("[");
  if (label > before.lastIndexOf("]") && before.length - label <= 301) return true;
  const tag = before.lastIndexOf("<");
  if (tag > before.lastIndexOf(">") && /[a-z/!]/i.test(before[tag + 1] ?? "")) return true;
  const target = Math.max(...["](", "] (", "]\n(", "]\t("].map((opening) => before.lastIndexOf(opening)));
  return target >= 0 && !/[)\n]/.test(before.slice(before.indexOf("(", target)));
}

const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? "");

const TLD =
  "ru|рф|su|by|kz|ua|com|net|org|info|biz|io|me|dev|app|ai|co|eu|us|uk|de|cn|xyz|site|online|shop|store|link|click|top|gg|to|ly|cc|tv|pro|club|space|tech|page|live|fun|icu|zip|mov|gl|москва";
/** With a scheme, or a bare domain that messengers would link by themselves. */
const URL_IN_TEXT = new RegExp(
  String.raw`(?<![\p{L}\p{N}@])(?:(?:[a-z][a-z0-9+.-]{1,30}:\/\/|www\.|mailto:|javascript:|data:|vbscript:|tel:)[^\s<>"«»)\]]+|[\p{L}\p{N}][\p{L}\p{N}.-]{0,250}\.(?:${TLD})(?![\p{L}\p{N}-])(?:[:/?#][^\s<>"«»)\]]*)?)`,
  "giu",
);
/** The links of a text, as `linkKey` has them. Passages come again and again. */
const linksIn = remembered(2000, (source) => [...source.matchAll(URL_IN_TEXT)].map((match) => linkKey(match[0])));

const PICTURE = new RegExp(String.raw`!\[${LABEL}\](?:\s?\(${TARGET}\)?|\s?\[${LABEL}\])?`, "gu");
const LINK = new RegExp(String.raw`\[(${LABEL})\]\s?\(\s{0,9}<?([^)\s>]*)>?${TARGET}\)`, "gu");
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,30}:[^<>\s]*)>/giu;
const TAG = new RegExp(`<[a-z/!]${INSIDE_TAG}>`, "giu");
const CLAIMS = new RegExp(HUMAN_CLAIM, "giu");

function cleaned(text: string, mayLink: (url: string) => boolean): string {
  let clean = visibleText(text);
  // Taking one thing out may join what stood around it into another: until nothing changes.
  for (let round = 0, before = ""; round < 5 && before !== clean; round++) {
    before = clean;
    if (/[[<]/.test(clean)) {
      clean = clean
        .replace(PICTURE, "")
        .replace(LINK, (_, label: string, url: string) => linked(label, url, mayLink))
        .replace(AUTOLINK, "$1")
        .replace(TAG, "");
    }
    clean = clean.replace(URL_IN_TEXT, (url) => (mayLink(url) ? url : closing(url)));
  }
  return clean
    .replace(/<(?=[a-z/!])/giu, "")
    .replace(CLAIMS, (claim) =>
      /[а-я]/iu.test(claim) ? capitalLike(claim, "я ИИ-двойник, а не человек") : "I'm an AI twin, not a human",
    );
}

function linked(label: string, url: string, mayLink: (url: string) => boolean): string {
  if (!mayLink(url)) return label;
  return label === url || label === "" ? url : `${label} (${url})`;
}

/** Marks that end the sentence, not the address. */
const closing = (url: string) => /[.,;:!?…]+$/.exec(url)?.[0] ?? "";

/** One address however it is written: scheme, www, capitals of the host and a last slash do not count. */
function linkKey(url: string): string {
  const bare = url
    .replace(/[.,;:!?…]+$/, "")
    .replace(/^https?:\/\//i, "")
    .replace(/^www\./i, "")
    .replace(/\/$/, "");
  const host = /^[^/?#]*/.exec(bare)![0];
  return host.toLowerCase() + bare.slice(host.length);
}

const capitalLike = (like: string, text: string) =>
  /^\p{Lu}/u.test(like) ? text[0]!.toUpperCase() + text.slice(1) : text;
