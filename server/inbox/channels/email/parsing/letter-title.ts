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

/** Decodes encoded words (RFC 2047), such as «=?utf-8?B?0J7RgtCy0LXRgg==?=». */
function decoded(value: string): string {
  const parts = value.split("=?");
  let text = parts[0]!;
  for (const part of parts.slice(1)) {
    const [charset = "", coding = "", coded = "", rest = ""] = splitAt(part, "?", 3);
    const bytes = bytesOf(coding.toUpperCase(), coded);
    if (bytes === null || !rest.startsWith("=")) text += part;
    else text += textOf(charset, bytes) + (rest === "= " ? "" : rest.slice(1));
  }
  return text
    .replaceAll("\u0000", "")
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}

/** Splits at most so many times; the rest stays whole. */
function splitAt(text: string, mark: string, cuts: number): string[] {
  const parts = text.split(mark);
  return [...parts.slice(0, cuts), parts.slice(cuts).join(mark)];
}

function bytesOf(coding: string, coded: string): Buffer | null {
  if (coding === "B") return Buffer.from(coded, "base64");
  if (coding !== "Q") return null;
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
