/**
 * Skips strict JSON by its bytes: each function takes a position and returns the one after the skipped part. It returns -1 when that is
 * incomplete or not JSON. The bytes are known to be UTF-8.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const DEEPEST = 64;

const LITERALS = ["true", "false", "null"].map((word) => Buffer.from(word));

/** Bytes without a special meaning inside a string. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
const isHex = Uint8Array.from({ length: 256 }, (_, byte) => (/[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0));
const isEscape = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Skips white space; never returns -1. */
export function skipWhitespace(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  let next = at;
  while (next < end) {
    const byte = bytes[next]!;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    next++;
  }
  return next;
}

/** Skips from after a string's opening quote to the first byte with a special meaning; never returns -1. */
export function skipPlainCharacters(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  let next = at;
  while (next < end && plain[bytes[next]!] === 1) next++;
  return next;
}

export function skipString(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  if (bytes[at] !== QUOTE) return -1;
  for (let next = skipPlainCharacters(bytes, at + 1); next < end; next = skipPlainCharacters(bytes, next)) {
    if (bytes[next] === QUOTE) return next + 1;
    if (bytes[next] !== BACKSLASH) return -1;
    const escaped = bytes[next + 1];
    if (escaped === undefined) return -1;
    if (isEscape[escaped] === 1) next += 2;
    else if (escaped === 0x75 && next + 6 <= end) {
      for (let digit = next + 2; digit < next + 6; digit++) if (isHex[bytes[digit]!] === 0) return -1;
      next += 6;
    } else return -1;
  }
  return -1;
}

/** Skips any value; `depth` brackets are open around it. */
export function skipGrammarValue(bytes: Uint8Array, at: number, depth = 0): number {
  const first = bytes[at];
  if (first === QUOTE) return skipString(bytes, at);
  if (first === OPEN_BRACE) return depth > DEEPEST ? -1 : passMembers(bytes, at + 1, depth + 1, CLOSE_BRACE);
  if (first === OPEN_BRACKET) return depth > DEEPEST ? -1 : passMembers(bytes, at + 1, depth + 1, CLOSE_BRACKET);
  if (first === MINUS || isDigit(first)) return passNumber(bytes, at);
  for (const word of LITERALS) if (first === word[0]) return passBytes(bytes, at, word);
  return -1;
}

function passMembers(bytes: Uint8Array, at: number, depth: number, close: number): number {
  let next = skipWhitespace(bytes, at);
  if (bytes[next] === close) return next + 1;
  for (;;) {
    if (close === CLOSE_BRACE) {
      next = skipString(bytes, next);
      if (next < 0) return -1;
      next = skipWhitespace(bytes, next);
      if (bytes[next] !== COLON) return -1;
      next = skipWhitespace(bytes, next + 1);
    }
    next = skipGrammarValue(bytes, next, depth);
    if (next < 0) return -1;
    next = skipWhitespace(bytes, next);
    if (bytes[next] === close) return next + 1;
    if (bytes[next] !== COMMA) return -1;
    next = skipWhitespace(bytes, next + 1);
  }
}

function passNumber(bytes: Uint8Array, at: number): number {
  let next = bytes[at] === MINUS ? at + 1 : at;
  if (bytes[next] === 0x30) next++;
  else next = passDigits(bytes, next);
  if (next >= 0 && bytes[next] === 0x2e) next = passDigits(bytes, next + 1);
  if (next >= 0 && (bytes[next] === 0x65 || bytes[next] === 0x45)) {
    const sign = bytes[next + 1];
    next = passDigits(bytes, sign === 0x2b || sign === MINUS ? next + 2 : next + 1);
  }
  // The number may continue in bytes that have not arrived yet.
  return next >= bytes.length ? -1 : next;
}

/** Skips digits; returns -1 if there are none. */
function passDigits(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at])) return -1;
  let next = at + 1;
  while (isDigit(bytes[next])) next++;
  return next;
}

function passBytes(bytes: Uint8Array, at: number, word: Uint8Array): number {
  for (let place = 0; place < word.length; place++) if (bytes[at + place] !== word[place]) return -1;
  return at + word.length;
}
