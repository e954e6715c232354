import { isUtf8 } from "node:buffer";

const NO_BYTE = /[^\0-\xFF]/;
const BEYOND_ASCII = /[\x80-\xFF]/;

/**
 * Meta writes each byte of its UTF-8 as a character of its own («ÐŸ» for «П»). A text whose characters are bytes of right UTF-8 is put
 * together again; any other one stays as it is, also one that is written rightly («café», «Привет»).
 */
export function withoutMojibake(text: string): string {
  if (!BEYOND_ASCII.test(text) || NO_BYTE.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : text;
}
