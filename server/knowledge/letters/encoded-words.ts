const ENCODED_WORD = /=\?([^?]{1,60})\?([BQ])\?([^?]{0,4000})\?=(?:\s{1,10}(?==\?))?/gi;

/**
 * Decodes encoded words of a header (RFC 2047), such as «=?utf-8?B?0J7RgtCy0LXRgg==?=»; a space between two of them is not part of the text.
 * A word in an unknown charset becomes "".
 */
export const decodeWords = (value: string): string =>
  value.replace(ENCODED_WORD, (_, charset: string, coding: string, coded: string) =>
    decodeBytes(charset, bytesOf(coding.toUpperCase(), coded)),
  );

function bytesOf(coding: string, coded: string): Buffer {
  if (coding === "B") return Buffer.from(coded, "base64");
  const plain = coded
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, "latin1");
}

function decodeBytes(charset: string, bytes: Buffer): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return "";
  }
}
