/** Names an unreadable letter by its sender and subject, as far as its header has them in plain form. */

const HEAD_BYTES = 16 * 1024;
const VALUE_CHARS = 500;

/** Returns «Письмо от Anna <anna@example.ru> «Заказ»»; «Письмо» when the header has neither. */
export function titleOf(source: Buffer): string {
  const [from, subject] = headerValues(source.subarray(0, HEAD_BYTES).toString("utf8"), ["from", "subject"]);
  return `Письмо${from === "" ? "" : ` от ${from!.slice(0, 100)}`}${subject === "" ? "" : ` «${subject!.slice(0, 80)}»`}`;
}

/** Returns the first field of each name, unfolded and decoded; "" if there is none. */
function headerValues(head: string, names: readonly string[]): string[] {
  const values = names.map(() => "");
  let current = -1;
  for (const line of head.split("\n")) {
    const text = line.trimEnd();
    if (text === "") break;
    if (line.startsWith(" ") || line.startsWith("\t")) {
      if (current >= 0 && values[current]!.length < VALUE_CHARS) values[current] += ` ${text.trim()}`;
      continue;
    }
    const colon = text.indexOf(":");
    const name = colon > 0 && colon < 40 ? text.slice(0, colon).toLowerCase() : "";
    current = names.indexOf(name);
    if (current < 0) continue;
    if (values[current] === "") values[current] = text.slice(colon + 1, colon + 1 + VALUE_CHARS).trim();
    else current = -1;
  }
  return values.map((value) => decoded(value.slice(0, VALUE_CHARS)));
}

const ENCODED_WORD = /=\?([^?]+)\?([BQ])\?([^?]*)\?=(?: (?==\?))?/gi;

/** Decodes encoded words (RFC 2047), such as «=?utf-8?B?0J7RgtCy0LXRgg==?=»; a space between two of them is not part of the text. */
function decoded(value: string): string {
  return value
    .replace(ENCODED_WORD, (_, charset: string, coding: string, coded: string) =>
      textOf(charset, bytesOf(coding.toUpperCase(), coded)),
    )
    .replaceAll("\u0000", "")
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}

function bytesOf(coding: string, coded: string): Buffer {
  if (coding === "B") return Buffer.from(coded, "base64");
  const plain = coded
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, "latin1");
}

function textOf(charset: string, bytes: Buffer): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return "";
  }
}
