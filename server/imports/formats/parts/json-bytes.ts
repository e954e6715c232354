// Walks through a JSON file of any size by its bytes. The walkers are synchronous generators that yield NEED_MORE_BYTES when the window is
// used up. So a walker does not depend on how the bytes are split.

import { readBlocks } from "./byte-blocks.ts";
import { repairJson } from "./repair-json.ts";

export const NEED_MORE_BYTES = Symbol("more bytes, please");

/** A step of a walk that only requests bytes and returns `T`. */
export type Walk<T> = Generator<typeof NEED_MORE_BYTES, T, void>;

/** The bytes that have arrived: `bytes[at]` is the next one; earlier ones are dropped by the next append. */
export class ByteWindow {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  ended = false;

  append(block: Buffer): void {
    this.bytes = this.at >= this.bytes.length ? block : Buffer.concat([this.bytes.subarray(this.at), block]);
    this.at = 0;
  }
}

export class TruncatedJson extends Error {}
export class MalformedJson extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Runs `program` over `source` and passes its events on, of which it may yield several at a time. Blocks are joined to 256 KiB, so that
 * tiny ones cost no more than large ones.
 */
export async function* walkBytes<Event extends object>(
  source: AsyncIterable<Uint8Array>,
  program: (window: ByteWindow) => Generator<Event | Event[] | typeof NEED_MORE_BYTES, void, void>,
): AsyncGenerator<Event, void, void> {
  const window = new ByteWindow();
  const blocks = readBlocks(source, 256 * 1024);
  try {
    for (const step of program(window)) {
      if (step !== NEED_MORE_BYTES) {
        if (Array.isArray(step)) for (const event of step) yield event;
        else yield step as Event;
        continue;
      }
      const next = await blocks.next();
      if (next.done) window.ended = true;
      else window.append(next.value);
    }
  } finally {
    await blocks.return();
  }
}

export function* skipByteOrderMark(window: ByteWindow): Walk<void> {
  while (window.bytes.length < 3 && !window.ended) yield NEED_MORE_BYTES;
  const { bytes } = window;
  // Skips a byte order mark at the start only: inside a file these bytes belong to a text.
  if (window.at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) window.at = 3;
}

/** Skips white space and commas, and returns the next byte without consuming it; -1 at the end. */
export function* nextByte(window: ByteWindow): Walk<number> {
  for (;;) {
    const { bytes } = window;
    let at = window.at;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x2c) byte = bytes[++at];
    window.at = at;
    if (byte !== undefined) return byte;
    if (window.ended) return -1;
    yield NEED_MORE_BYTES;
  }
}

/** Progress of the scan of one object or array: the bytes seen since `window.at`, the open brackets, and whether it is inside a string. */
export interface ValueScan {
  length: number;
  depth: number;
  inString: boolean;
}

/**
 * Searches for the end of the object or array at `window.at`, continuing `scan`. True: it is `scan.length` bytes long; false: all bytes so
 * far belong to it.
 */
export function scanValue(window: ByteWindow, scan: ValueScan): boolean {
  const { bytes } = window;
  const end = bytes.length;
  let at = window.at + scan.length;
  let { depth, inString } = scan;
  let done = false;
  while (at < end) {
    if (inString) {
      let byte = bytes[at]!;
      while (byte !== QUOTE && byte !== BACKSLASH && ++at < end) byte = bytes[at]!;
      if (at >= end) break;
      if (byte === QUOTE) {
        inString = false;
        at++;
      } else if (at + 1 < end) at += 2;
      // The escaped byte has not arrived yet, so the scan will continue at the backslash.
      else break;
      continue;
    }
    const byte = bytes[at++]!;
    if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
      done = true;
      break;
    }
  }
  scan.length = at - window.at;
  scan.depth = depth;
  scan.inString = inString;
  return done;
}

export function* skipValue(window: ByteWindow): Walk<void> {
  yield* consumeValue(window, 0);
}

/** Parses one value of at most `limit` bytes; a longer or broken one is skipped and returned as undefined. */
export function* takeValue(window: ByteWindow, limit: number): Walk<unknown> {
  const bytes = yield* consumeValue(window, limit);
  if (!bytes) return undefined;
  const json = bytes.toString("utf8");
  try {
    return JSON.parse(json);
  } catch {
    try {
      return JSON.parse(repairJson(json));
    } catch {
      return undefined;
    }
  }
}

export function* takeKey(window: ByteWindow): Walk<string> {
  if ((yield* nextByte(window)) !== QUOTE) throw new MalformedJson();
  const key = yield* takeValue(window, 64 * 1024);
  if ((yield* nextByte(window)) !== 0x3a)
    throw window.ended && window.at >= window.bytes.length ? new TruncatedJson() : new MalformedJson();
  window.at++;
  return typeof key === "string" ? key : "";
}

/** Consumes a value; returns its bytes if they are at most `limit`, otherwise null without keeping them in memory. */
function* consumeValue(window: ByteWindow, limit: number): Walk<Buffer | null> {
  const first = yield* nextByte(window);
  const kept: Buffer[] = [];
  let total = 0;
  const consume = (length: number): void => {
    total += length;
    // The bytes are copied, so that the window's memory can be released.
    if (total <= limit) kept.push(Buffer.from(window.bytes.subarray(window.at, window.at + length)));
    window.at += length;
  };
  if (first === -1) throw new TruncatedJson();
  if (first === OPEN_BRACE || first === OPEN_BRACKET || first === QUOTE) {
    // A string is scanned like an array of one member, which its closing quote ends.
    const scan: ValueScan = { length: 0, depth: 0, inString: false };
    const scanStep = first === QUOTE ? scanString : scanValue;
    while (!scanStep(window, scan)) {
      consume(scan.length);
      scan.length = 0;
      if (window.ended) throw new TruncatedJson();
      yield NEED_MORE_BYTES;
    }
    consume(scan.length);
  } else {
    for (;;) {
      let at = window.at;
      while (at < window.bytes.length && !endsScalar(window.bytes[at]!)) at++;
      const complete = at < window.bytes.length;
      if (complete && at === window.at && total === 0) throw new MalformedJson();
      consume(at - window.at);
      if (complete) break;
      if (window.ended) throw new TruncatedJson();
      yield NEED_MORE_BYTES;
    }
  }
  return total <= limit ? Buffer.concat(kept) : null;
}

function scanString(window: ByteWindow, scan: ValueScan): boolean {
  const { bytes } = window;
  let at = window.at + scan.length;
  if (!scan.inString && at < bytes.length) {
    scan.inString = true;
    at++;
  }
  let done = false;
  while (at < bytes.length && !done) {
    const byte = bytes[at];
    if (byte === BACKSLASH) {
      if (at + 1 >= bytes.length) break;
      at += 2;
    } else {
      done = byte === QUOTE;
      at++;
    }
  }
  scan.length = at - window.at;
  return done;
}

/** Returns whether the byte ends a number, true, false or null: white space, a comma, a colon or a bracket. */
function endsScalar(byte: number): boolean {
  return (
    byte <= 0x20 ||
    byte === 0x2c ||
    byte === 0x3a ||
    byte === CLOSE_BRACE ||
    byte === CLOSE_BRACKET ||
    byte === OPEN_BRACE ||
    byte === OPEN_BRACKET ||
    byte === QUOTE
  );
}
