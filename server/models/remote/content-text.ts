/** The text of a message's content, which some servers send as a list of parts. Null: it has none. */
export function contentText(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part: unknown) => {
    if (typeof part === "string") return part;
    const text = typeof part === "object" && part !== null ? (part as { text?: unknown }).text : undefined;
    return typeof text === "string" ? text : "";
  });
  return texts.join("");
}
