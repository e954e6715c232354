/** Splits a long answer into several messages. */

/** Splits at a paragraph, else at a line, a sentence, a word, else anywhere except inside a character. No part is empty. */
export function splitText(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const at = placeToCut(rest, max);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  if (rest !== "") parts.push(rest);
  return parts;
}

function placeToCut(text: string, max: number): number {
  const head = text.slice(0, max);
  for (const mark of ["\n\n", "\n", ". ", "! ", "? ", " "]) {
    const found = head.lastIndexOf(mark);
    // A part of less than half would only make more messages.
    if (found >= max / 2) return found + mark.length;
  }
  const last = text.charCodeAt(max - 1);
  return last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
}
