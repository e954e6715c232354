import { isUtf8 } from "node:buffer";
import { withoutCutEnd } from "#server/knowledge/documents/decode-text.ts";
import { readBlocks } from "./byte-blocks.ts";

export interface TextLine {
  text: string;
  /** The length in UTF-16 code units; in bytes when the line is too long. */
  size: number;
  /** `cut`: the file ends inside a character. */
  fault: "notUtf8" | "tooLong" | "cut" | null;
}

const NEWLINE = 0x0a;
/** Number of bytes kept of a line that is too long, enough for its date and author. */
const BEGINNING = 1000;

/**
 * Yields the lines of a text file, many at a time; LF and CR LF end a line. Of a line longer than `limit` bytes only the beginning is kept,
 * with the fault `tooLong`. A batch is `unfinished` if it is the last line and has no line break.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<{ lines: TextLine[]; unfinished: boolean }, void, void> {
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  let first = true;
  for await (const piece of readBlocks(source, 256 * 1024)) {
    const block = first && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? piece.subarray(3) : piece;
    first = false;
    const end = block.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines: TextLine[] = [];
      let start = 0;
      if (carriedBytes > 0) {
        start = block.indexOf(NEWLINE) + 1;
        lines.push(lineOf([...carried, block.subarray(0, start - 1)], carriedBytes + start - 1, limit));
        carried = [];
        carriedBytes = 0;
      }
      splitWhole(block.subarray(start, end), limit, lines);
      yield { lines, unfinished: false };
    }
    if (end === block.length) continue;
    carriedBytes += block.length - end;
    // Beyond the limit only the beginning and the length are kept.
    if (carriedBytes > limit)
      carried =
        carried.length > 0
          ? [Buffer.concat(carried).subarray(0, BEGINNING)]
          : [Buffer.from(block.subarray(end, end + BEGINNING))];
    else carried.push(Buffer.from(block.subarray(end)));
  }
  if (carriedBytes > 0) {
    const line = lineOf(carried, carriedBytes, limit);
    if (line.fault === "notUtf8" && isUtf8(withoutCutEnd(Buffer.concat(carried)))) line.fault = "cut";
    yield { lines: [line], unfinished: true };
  }
}

/** `block` ends with a line break (or is empty). */
function splitWhole(block: Buffer, limit: number, lines: TextLine[]): void {
  if (block.length === 0) return;
  if (block.length <= limit && isUtf8(block)) {
    const texts = block.toString("utf8").split("\n");
    texts.pop();
    for (const text of texts) lines.push({ text: withoutReturn(text), size: text.length, fault: null });
    return;
  }
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(NEWLINE, start);
    lines.push(lineOf([block.subarray(start, end)], end - start, limit));
    start = end + 1;
  }
}

function lineOf(parts: Buffer[], bytes: number, limit: number): TextLine {
  const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  if (bytes > limit) return { text: whole.toString("utf8", 0, BEGINNING), size: bytes, fault: "tooLong" };
  const text = whole.toString("utf8");
  return { text: withoutReturn(text), size: text.length, fault: isUtf8(whole) ? null : "notUtf8" };
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
