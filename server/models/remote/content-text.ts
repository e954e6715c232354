/** The text of a message's content, which some servers send as a list of parts. Null: it has none. */
export function contentText(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part: unknown) => {
    if (typeof part === "string") return part;
    if (typeof part !== "object" || part === null) return "";
    const { type = "text", text } = part as { type?: unknown; text?: unknown };
    // Other parts, such as a model's reasoning, are not its answer.
    return typeof text === "string" && (type === "text" || type === "output_text") ? text : "";
  });
  return texts.join("");
}
