/** Names an unreadable letter by its sender and subject, as far as its header has them in plain form. */
import { decodeWords } from "#server/knowledge/letters/encoded-words.ts";

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

const decoded = (value: string): string =>
  decodeWords(value)
    .replaceAll("\u0000", "")
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
