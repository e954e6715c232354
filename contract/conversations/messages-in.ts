/** Messages of one answer at most, the notice that a twin answers among them; the last one holds the rest. */
const MOST_MESSAGES = 4;

/** The messages of an answer whose paragraphs are messages of their own (`Reply.parted`). */
export function messagesIn(text: string): string[] {
  const all = text.split(/\n{2,}/);
  return [...all.slice(0, MOST_MESSAGES - 1), all.slice(MOST_MESSAGES - 1).join("\n\n")].filter((one) => one !== "");
}
