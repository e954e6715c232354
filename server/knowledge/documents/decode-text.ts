import { isUtf8 } from "node:buffer";

const SAMPLE_BYTES = 64 * 1024;

/**
 * Decodes a file of unknown encoding to text with LF line breaks and without NUL; null for binary data. Tries UTF-8 if valid or marked,
 * UTF-16 by its mark or its zeros, else the one-byte encoding whose text looks most like Russian or Latin.
 */
export function decodeText(bytes: Buffer): string | null {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  const text = new TextDecoder(encoding).decode(bytes);
  return text.replaceAll("\0", "").replace(/\r\n?/g, "\n").toWellFormed();
}

/** Detects the text encoding from a file's bytes or only its first ones; null for binary data. */
export function encodingOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = countZeros(sample);
  const pairs = Math.floor(sample.length / 2);
  // In UTF-16 every second byte of Latin letters, digits and spaces is zero; in Cyrillic text at least that of spaces and marks.
  if (zeros.odd > pairs * 0.05 && zeros.even * 10 < zeros.odd && readsAsUtf16("utf-16le", sample)) return "utf-16le";
  if (zeros.even > pairs * 0.05 && zeros.odd * 10 < zeros.even && readsAsUtf16("utf-16be", sample)) return "utf-16be";
  if (!looksWritten(bytes)) return null;
  if (isUtf8(withoutCutEnd(bytes))) return "utf-8";
  return bestOf(["windows-1251", "koi8-r", "ibm866", "windows-1252"], sample);
}

/** Removes an incomplete last character, because the first part of a file may end inside one. */
export function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    // In UTF-8 the first byte tells how many follow.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

/** Audio and image data may also have zeros in every second byte, but decodes to other letters. */
function readsAsUtf16(encoding: string, sample: Buffer): boolean {
  const text = new TextDecoder(encoding).decode(sample);
  const usual = text.match(/[\t\n\r\u0020-\u007e\u00a0-\u024f\u0400-\u04ff\u2010-\u20bf\u2116]/g)?.length ?? 0;
  return usual >= text.length * 0.95;
}

function countZeros(sample: Buffer): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 };
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2 ? "odd" : "even"]++;
  return zeros;
}

/** Accepts at most one control character in a thousand. */
function looksWritten(bytes: Buffer): boolean {
  let controls = 0;
  for (const byte of bytes) {
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) controls++;
  }
  return controls * 1000 <= bytes.length + 2000 && controls * 10 <= bytes.length;
}

function bestOf(encodings: string[], sample: Buffer): string {
  const [best] = encodings
    .map((encoding) => ({ encoding, score: readability(new TextDecoder(encoding).decode(sample)) }))
    .sort((left, right) => right.score - left.score);
  return best!.encoding;
}

/** Scores how much a text looks like Russian: a wrong encoding swaps capitals, mixes alphabets and yields unusual characters. */
export function readability(text: string): number {
  let score = 0;
  let before = "";
  for (const char of text) {
    const cyrillic = /[а-яёА-ЯЁ]/.test(char);
    if (/[оеаинтсрвл]/.test(char)) score += 2;
    else if (/[а-яё]/.test(char)) score += 1;
    else if (/[À-ÿ]/.test(char)) score += /[A-Za-z]/.test(before) ? 1 : -1;
    else if (/[\u0080-\u009f\u2500-\u25ff\u0400\u0402-\u040f\u0452-\u045f÷×]/.test(char)) score -= 3;
    if (/[А-ЯЁ]/.test(char) && /[а-яё]/.test(before)) score -= 3;
    if ((cyrillic && /[A-Za-z]/.test(before)) || (/[A-Za-z]/.test(char) && /[а-яёА-ЯЁ]/.test(before))) score -= 3;
    before = char;
  }
  return score;
}
