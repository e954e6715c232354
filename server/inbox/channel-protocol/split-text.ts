import { messagesIn } from "#contract/conversations/messages-in.ts";
import type { Outgoing } from "./channel.ts";

/** Returns what is sent one after another: the messages of the answer, a long one in parts. */
export const partsOf = ({ text, parted }: Pick<Outgoing, "text" | "parted">, max: number): string[] =>
  (parted ? messagesIn(text) : [text]).flatMap((message) => splitText(message, max));

/** Splits a long text into messages: at a paragraph, else a line, a sentence, a word, else between characters. No part is empty. */
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
    // Parts shorter than half the limit would only add more messages.
    if (found >= max / 2) return found + mark.length;
  }
  const last = text.charCodeAt(max - 1);
  return last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
}
