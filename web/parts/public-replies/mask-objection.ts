import { maskIn } from "#contract/knowledge/chat-facts.ts";

/** Says what to do with a mask that is left in a text to be published. */
export function maskObjection(text: string): string | undefined {
  const mask = maskIn(text);
  return mask === null ? undefined : `Замените «${mask}» своими словами или уберите`;
}
