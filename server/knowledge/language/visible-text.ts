const JOINER = "\u200d";
const PLAIN = /^[\x20-\x7e\n\u00a0-\u00ac\u00ae-\u00ff\u0400-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2116]*$/;

/** Removes invisible characters, which hide words from the reader or from filters. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(/[\p{Cc}\p{Co}\p{Cn}\p{Cs}]/gu, (control) => (control === "\n" || control === "\t" ? control : ""))
    .replace(/\p{Cf}/gu, (mark, at: number) => (mark === JOINER && joinsEmoji(text, at) ? mark : ""))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, (mark) => (mark === "\ufe0f" || mark === JOINER ? mark : ""))
    .replace(/(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f/gu, "");
}

const joinsEmoji = (text: string, at: number) =>
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?$/u.test(text.slice(Math.max(0, at - 3), at)) &&
  /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
