// Reads mail: a single letter (.eml), or a mailbox of letters one after the other (mbox, as Thunderbird and Google write it).

import { CUT_END, WHOLE_END } from "../ends.ts";
import type { ExportFormat } from "../message.ts";
import { MAX_LETTER_BYTES, readLetter } from "./email-message.ts";

const HEADER = /^[!-9;-~]+:[ \t]?/;
/** Header lines of which every letter has at least one. */
const USUAL = [
  "from",
  "to",
  "date",
  "message-id",
  "received",
  "return-path",
  "delivered-to",
  "mime-version",
  "subject",
];
/** Bytes behind a separator line that show whether a letter begins there. */
const HEAD_BYTES = 16 * 1024;

/**
 * Returns the names of the header lines that a text begins with, in lower case; null when another line stands among them. The last line of a text
 * without an empty line may be incomplete and is not read.
 */
function headerNames(text: string): Set<string> | null {
  const names = new Set<string>();
  for (let at = 0; ; ) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end).trimEnd();
    if (end < 0 || line === "") return names;
    const name = HEADER.exec(line)?.[0];
    if (name !== undefined) names.add(name.slice(0, name.indexOf(":")).toLowerCase());
    // Some programs keep the escaped separator of another mailbox among the header.
    else if (!/^(?:[ \t]|>From )/.test(line)) return null;
    at = end + 1;
  }
}

export const emailLetter: ExportFormat = {
  name: "email-eml",
  detect(head) {
    const names = headerNames(
      head
        .toString("latin1")
        .split(/(?<=\n)/, 200)
        .join(""),
    );
    return (
      names !== null &&
      names.size > 1 &&
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

/** Whether a header follows a separator line. A sentence such as «From Kazan we leave on 12 May 2026» has none below it. */
function beginsLetter(text: string): boolean {
  const names = headerNames(text);
  return names !== null && USUAL.some((name) => names.has(name));
}

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
  for await (const part of withEnd(source)) {
    // The rest begins with a line break: the last one, or that of a separator line whose letter was not yet seen.
    let block = Buffer.concat([rest, part ?? Buffer.alloc(0)]);
    let waiting = -1;
    for (let at = block.indexOf("\nFrom "); at >= 0; at = block.indexOf("\nFrom ", at + 1)) {
      const end = block.indexOf(0x0a, at + 1);
      if (end < 0) break;
      if (!DIVIDER.test(block.toString("latin1", at + 1, end))) continue;
      const head = block.toString("latin1", end + 1, end + 1 + HEAD_BYTES);
      if (part !== null && head.length < HEAD_BYTES && !/\n\r?\n/.test(head)) {
        waiting = at;
        break;
      }
      if (!beginsLetter(head)) continue;
      keep(block.subarray(0, at + 1));
      if (begun) yield letter();
      else letter();
      begun = true;
      block = block.subarray(end);
      at = -1;
    }
    const last = waiting >= 0 ? waiting : Math.max(0, block.lastIndexOf(0x0a));
    // A line longer than any separator is not one.
    const upTo = waiting < 0 && block.length - last > 64 * 1024 ? block.length : last;
    keep(Buffer.from(block.subarray(0, upTo)));
    rest = Buffer.from(block.subarray(upTo));
  }
  keep(rest);
  if (begun) yield letter();
}

/** Yields null behind the last part. */
async function* withEnd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null, void, void> {
  yield* source;
  yield null;
}

/** Restores lines that the mailbox has escaped as `>From `, so that they do not separate letters. */
function unescaped(letter: Buffer): Buffer {
  if (!letter.includes("\n>")) return letter;
  return Buffer.from(letter.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
}
