import { isUtf8 } from "node:buffer";

const NO_BYTE = /[^\0-\xFF]/;
const BEYOND_ASCII = /[\x80-\xFF]/;

/**
 * Repairs texts in which Meta wrote each byte of UTF-8 as a character («ÐŸ» for «П»). Other texts stay unchanged, also correct ones
 * («café», «Привет»).
 */
export function withoutMojibake(text: string): string {
  if (!BEYOND_ASCII.test(text) || NO_BYTE.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : text;
}
