// Reads JSON that contains a long list of objects. Each object is cut out by brackets and quotes and parsed alone, so memory is bounded.
import { isUtf8 } from "node:buffer";
import { MAX_MESSAGE_BYTES, reasons } from "../message.ts";
import {
  type ByteWindow,
  MalformedJson,
  NEED_MORE_BYTES,
  nextByte,
  scanValue,
  skipByteOrderMark,
  skipValue,
  TruncatedJson,
  takeKey,
  takeValue,
  type ValueScan,
  type Walk,
} from "./json-bytes.ts";

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A member of the list, or the Russian reason why it cannot be read. */
export type JsonItem = { value: Record<string, unknown> } | { reason: string };

/**
 * Yields the members of the present list that are objects.
 * @throws TruncatedJson when the bytes end inside, MalformedJson when there is no list
 */
export function* listItems(window: ByteWindow): Generator<JsonItem | typeof NEED_MORE_BYTES, void, void> {
  yield* take(window, OPEN_BRACKET);
  for (;;) {
    const next = yield* nextByte(window);
    if (next === -1) throw new TruncatedJson();
    if (next === CLOSE_BRACKET) {
      window.at++;
      return;
    }
    if (next !== OPEN_BRACE) {
      yield* skipValue(window);
      continue;
    }
    const length = yield* objectLength(window);
    if (length < 0) {
      yield { reason: reasons.tooLong };
      yield* skipValue(window);
      continue;
    }
    const bytes = window.bytes.subarray(window.at, window.at + length);
    window.at += length;
    yield parsed(bytes);
  }
}

/**
 * Reads an object whose member `list` is long. Yields the members of `list` and passes the object's other members (of at most 1 MB) to
 * `onMember`.
 * @throws the same as listItems
 */
export function* objectWithList(
  window: ByteWindow,
  list: string,
  onMember: (key: string, value: unknown) => void,
): Generator<JsonItem | typeof NEED_MORE_BYTES, void, void> {
  yield* take(window, OPEN_BRACE);
  for (;;) {
    const next = yield* nextByte(window);
    if (next === -1) throw new TruncatedJson();
    if (next === CLOSE_BRACE) {
      window.at++;
      return;
    }
    const key = yield* takeKey(window);
    if (key === list && (yield* nextByte(window)) === OPEN_BRACKET) yield* listItems(window);
    else onMember(key, yield* takeValue(window, 1024 * 1024));
  }
}

/** Returns the length of the object; -1 when it exceeds the maximum length of a message. */
function* objectLength(window: ByteWindow): Walk<number> {
  const scan: ValueScan = { length: 0, depth: 0, inString: false };
  while (!scanValue(window, scan)) {
    if (scan.length > MAX_MESSAGE_BYTES) return -1;
    if (window.ended) throw new TruncatedJson();
    yield NEED_MORE_BYTES;
  }
  return scan.length > MAX_MESSAGE_BYTES ? -1 : scan.length;
}

function parsed(bytes: Buffer): JsonItem {
  const json = bytes.toString("utf8");
  // Decoding replaces broken bytes by U+FFFD, so only texts that contain one need the check.
  if (json.includes("\uFFFD") && !isUtf8(bytes)) return { reason: reasons.notUtf8 };
  try {
    return { value: JSON.parse(json) };
  } catch {
    return { reason: reasons.notParsed };
  }
}

function* take(window: ByteWindow, bracket: number): Walk<void> {
  yield* skipByteOrderMark(window);
  const byte = yield* nextByte(window);
  if (byte === -1) throw new TruncatedJson();
  if (byte !== bracket) throw new MalformedJson();
  window.at++;
}
