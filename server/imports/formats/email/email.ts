// Reads mail: a single letter (.eml), or a mailbox of letters one after the other (mbox, as Thunderbird and Google write it).

import { CUT_END, WHOLE_END } from "../ends.ts";
import type { ExportFormat } from "../message.ts";
import { MAX_LETTER_BYTES, readLetter } from "./email-message.ts";

const HEADER = /^[!-9;-~]+:[ \t]?/;

export const emailLetter: ExportFormat = {
  name: "email-eml",
  detect(head) {
    const lines = head.toString("latin1").split(/\r?\n/, 200);
    const end = lines.indexOf("");
    const headers = (end < 0 ? lines.slice(0, -1) : lines.slice(0, end)).filter((line) => !/^[ \t]/.test(line));
    const names = new Set(headers.map((line) => HEADER.exec(line)?.[0].replace(/:.*/s, "").toLowerCase()));
    return (
      headers.length > 1 &&
      !names.has(undefined) &&
      names.has("from") &&
      ["date", "message-id", "received", "mime-version", "subject"].some((name) => names.has(name))
    );
  },
  async *read(source) {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of source) {
      length += part.length;
      if (length <= MAX_LETTER_BYTES) parts.push(part);
    }
    if (length > MAX_LETTER_BYTES) yield { type: "rejected", line: 1, reason: TOO_LONG };
    else yield* await readLetter(Buffer.concat(parts), 1);
    yield WHOLE_END;
  },
};

const TOO_LONG = "Письмо больше 50 МБ";
/** Matches the separator line «From anna@example.ru Tue Mar 12 14:05:33 2024» */
const DIVIDER = /^From (?:-|\S+) .*\d{4}\s*$/;

export const emailBox: ExportFormat = {
  name: "email-mbox",
  detect: (head) => DIVIDER.test(head.toString("latin1", 0, 1000).split("\n", 1)[0]!),
  async *read(source) {
    let line = 0;
    let ended = true;
    for await (const letter of lettersOf(source)) {
      line++;
      if (letter === null) yield { type: "rejected", line, reason: TOO_LONG };
      else {
        yield* await readLetter(unescaped(letter), line);
        ended = letter.at(-1) === 0x0a;
      }
    }
    // The last letter ends with a line break unless the file was truncated.
    yield ended ? WHOLE_END : CUT_END;
  },
};

/** Yields the letters without their separator lines; null for one that is too long. */
async function* lettersOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | null, void, void> {
  let kept: Buffer[] = [];
  let length = 0;
  const letter = () => {
    // `subarray` skips the line break of the separator line.
    const whole = length > MAX_LETTER_BYTES ? null : Buffer.concat(kept).subarray(1);
    kept = [];
    length = 0;
    return whole;
  };
  const keep = (part: Buffer) => {
    length += part.length;
    if (length <= MAX_LETTER_BYTES) kept.push(part);
    else kept = [];
  };
  let rest: Buffer = Buffer.from("\n");
  let begun = false;
  for await (const part of source) {
    // The rest begins with the last line break that was found.
    let block = Buffer.concat([rest, part]);
    for (let at = block.indexOf("\nFrom "); at >= 0; at = block.indexOf("\nFrom ", at + 1)) {
      const end = block.indexOf(0x0a, at + 1);
      if (end < 0) break;
      if (!DIVIDER.test(block.toString("latin1", at + 1, end))) continue;
      keep(block.subarray(0, at + 1));
      if (begun) yield letter();
      else letter();
      begun = true;
      block = block.subarray(end);
      at = -1;
    }
    const last = Math.max(0, block.lastIndexOf(0x0a));
    // A line longer than any separator is not one.
    const upTo = block.length - last > 64 * 1024 ? block.length : last;
    keep(Buffer.from(block.subarray(0, upTo)));
    rest = Buffer.from(block.subarray(upTo));
  }
  keep(rest);
  if (begun) yield letter();
}

/** Restores lines that the mailbox has escaped as `>From `, so that they do not separate letters. */
function unescaped(letter: Buffer): Buffer {
  if (!letter.includes("\n>")) return letter;
  return Buffer.from(letter.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
}
