/**
 * Rewrites a letter so that its texts and header are UTF-8, whatever their labels say. Programs leave the charset out, write «us-ascii» or
 * «utf-8» above windows-1251, and put Cyrillic into headers without encoding it (RFC 2045, 2047 and 6532 allow none of this); a parser that
 * believes them returns signs of replacement.
 */
import { isUtf8 } from "node:buffer";
import type { MimeNode } from "@zone-eu/mailsplit";
import { readability, withoutCutEnd } from "#server/knowledge/documents/decode-text.ts";

/** Encodings of one byte a character that are taken for one another; other labels are believed. */
const CONFUSED = new Set([
  "windows-1252",
  "windows-1251",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "iso-8859-5",
  "x-mac-cyrillic",
]);
/** In Latin languages fewer of the letters have an accent. */
const CYRILLIC_SHARE = 0.4;
/** Pages name their charset near their beginning. */
const META_BYTES = 4096;

/**
 * @param source bytes of the letter, which may end anywhere
 * @returns the same bytes when nothing had to be rewritten
 */
export async function toUtf8Letter(source: Buffer): Promise<Buffer> {
  // Lazy import: a server without mail does not need the code.
  const { Splitter } = await import("@zone-eu/mailsplit");
  const splitter = new Splitter();
  splitter.end(source);
  const parts: Buffer[] = [];
  let isChanged = false;
  let text: { node: MimeNode; body: Buffer[] } | null = null;
  const endText = () => {
    if (text === null) return;
    const { node, body } = text;
    text = null;
    const raw = Buffer.concat(body);
    const bytes = decodeTransfer(raw, node.encoding);
    const encoding = encodingInLetter(bytes, node.charset || null, node.contentType === "text/html");
    if (encoding !== null) {
      isChanged = true;
      node.setCharset("utf-8");
      if (node.headers) node.headers.update("Content-Transfer-Encoding", "base64");
      parts.push(node.getHeaders(), inLines(Buffer.from(new TextDecoder(encoding).decode(bytes))));
    } else parts.push(node.getHeaders(), raw);
  };
  for await (const chunk of splitter) {
    if (chunk.type === "body" && text !== null) {
      text.body.push(chunk.value);
      continue;
    }
    endText();
    if (chunk.type !== "node") parts.push(chunk.value);
    else {
      isChanged = rewriteHeader(chunk) || isChanged;
      const type = chunk.contentType || (chunk.root ? "text/plain" : "");
      const isText = /^text\/(?:plain|html)$/.test(type) && chunk.disposition !== "attachment";
      if (isText) text = { node: chunk, body: [] };
      else parts.push(chunk.getHeaders());
    }
  }
  endText();
  return isChanged ? Buffer.concat(parts) : source;
}

/** Converts lines of the header that are not ASCII; returns whether there were any. */
function rewriteHeader(node: MimeNode): boolean {
  const { headers } = node;
  if (!headers) return false;
  // The library keeps a header's bytes as Latin-1.
  const wrong = headers.getList().filter(({ line }) => !isUtf8(Buffer.from(line, "latin1")));
  if (wrong.length === 0) return false;
  const encoding = guessEncoding(
    Buffer.from(wrong.map(({ line }) => line).join("\n"), "latin1"),
    knownEncoding(node.charset || null),
  );
  const decoder = new TextDecoder(encoding);
  for (const each of wrong)
    each.line = Buffer.from(decoder.decode(Buffer.from(each.line, "latin1"))).toString("latin1");
  headers.changed = true;
  return true;
}

/** Returns the encoding that the bytes of a text have in spite of their label; null when the label is right or cannot be judged. */
function encodingInLetter(bytes: Buffer, label: string | null, isHtml: boolean): string | null {
  const high = bytes.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0);
  if (high === 0) return null;
  const declared = knownEncoding(label);
  if (isNearlyUtf8(bytes, high)) return declared === "utf-8" ? null : "utf-8";
  const isUnlabelled = declared === null || declared === "utf-8" || /^(?:us-?)?ascii$/i.test(label ?? "");
  if (!isUnlabelled && !CONFUSED.has(declared)) return null;
  const letters = bytes.reduce((sum, byte) => sum + (byte >= 0x80 || isAsciiLetter(byte) ? 1 : 0), 0);
  if (declared === "windows-1252" && !isUnlabelled && high < letters * CYRILLIC_SHARE) return null;
  const found = guessEncoding(bytes, isUnlabelled ? (isHtml ? encodingOfPage(bytes) : null) : declared);
  return !isUnlabelled && found === declared ? null : found;
}

/** Encodings of Russian and of Latin languages; where bytes look alike in several, the earlier is likelier. */
const CANDIDATES = ["windows-1251", "koi8-r", "ibm866", "windows-1252", "iso-8859-5"];

/** @param hint an encoding that is preferred to another in which the bytes look no more like a language */
function guessEncoding(bytes: Buffer, hint: string | null): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  // Windows-1251 and KOI8 read as each other with capitals for small letters, so case says nothing of a text in capitals.
  const scoreOf = (encoding: string) => readability(new TextDecoder(encoding).decode(sample).toLowerCase());
  const stated = hint !== null && CONFUSED.has(hint) ? [hint] : [];
  const scored = [...stated, ...CANDIDATES].map((encoding) => ({ encoding, score: scoreOf(encoding) }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).encoding;
}

/** Whether bytes are UTF-8 but for a few, as programs leave them that cut or replace single bytes. */
function isNearlyUtf8(bytes: Buffer, high: number): boolean {
  if (isUtf8(withoutCutEnd(bytes))) return true;
  const wrong = new TextDecoder().decode(bytes).split("\ufffd").length - 1;
  return wrong * MOST_WRONG <= high;
}

/** One byte in so many may be wrong. */
const MOST_WRONG = 10;
const SAMPLE_BYTES = 64 * 1024;

const isAsciiLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** Returns the Encoding Standard's name of a label, null for none. */
function knownEncoding(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}

/** Returns the encoding of one byte a character that a page's `meta` element names. */
function encodingOfPage(bytes: Buffer): string | null {
  const [, label] = /<meta[^>]{0,200}charset=["']?([\w-]{2,30})/i.exec(bytes.toString("latin1", 0, META_BYTES)) ?? [];
  const encoding = knownEncoding(label ?? null);
  return encoding !== null && CONFUSED.has(encoding) ? encoding : null;
}

function decodeTransfer(body: Buffer, transfer: string | false): Buffer {
  if (transfer === "base64") return Buffer.from(body.toString("latin1"), "base64");
  return transfer === "quoted-printable" ? decodeQuotedPrintable(body) : body;
}

/** https://www.rfc-editor.org/rfc/rfc2045#section-6.7 */
function decodeQuotedPrintable(body: Buffer): Buffer {
  const plain = body.toString("latin1").replace(/=[ \t]{0,20}\r?\n/g, "");
  return Buffer.from(
    plain.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

const LINE_CHARS = 76;

/** Encodes as base64 in lines of the length that RFC 2045 allows. */
function inLines(text: Buffer): Buffer {
  const coded = text.toString("base64");
  const lines: string[] = [];
  for (let at = 0; at < coded.length; at += LINE_CHARS) lines.push(coded.slice(at, at + LINE_CHARS));
  return Buffer.from(`${lines.join("\r\n")}\r\n`);
}
