import { maskIn } from "#contract/knowledge/chat-facts.ts";

/** Says what to do with a placeholder for personal data in a text to be published; undefined without one. */
export function maskObjection(text: string): string | undefined {
  const mask = maskIn(text);
  return mask === null ? undefined : `Замените «${mask}» своими словами или уберите`;
}
