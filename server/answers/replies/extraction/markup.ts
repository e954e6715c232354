/** Removes Markdown and HTML; a sentence may begin or end in the middle of either. */
export function withoutMarkup(text: string): string {
  return (
    withoutPrograms(text)
      .replace(/<\/?[a-z!][^>]*>?/gi, " ")
      .replace(/!\[[^\][]*(?:\]\([^()]*\)?|\]?$)/g, " ")
      .replace(/\[([^\][]*)\]\([^()]*\)?/g, "$1")
      .replace(/(\*\*|__|`)(.+?)\1/g, "$2")
      // The other half of such a pair is in another sentence.
      .replace(/(?<!\S)(?:\*\*|__)(?!\S)|^(?:\*\*|__)|(?:\*\*|__)$/gm, "")
      .replace(/^#{1,6}\s+/gm, "")
      .replace(/[ \t]{2,}/g, " ")
      .trim()
  );
}

/** Removes scripts and styles with their content; of an unclosed one only the tag. */
function withoutPrograms(text: string): string {
  let left = "";
  let at = 0;
  const lower = text.toLowerCase();
  const endless = new Set<string>();
  for (const { 0: begin, 1: name, index } of lower.matchAll(/<(script|style)\b/g)) {
    if (index < at || endless.has(name!)) continue;
    const close = lower.indexOf(`</${name}`, index + begin.length);
    const end = close < 0 ? -1 : lower.indexOf(">", close);
    if (end < 0) {
      endless.add(name!);
      continue;
    }
    left += `${text.slice(at, index)} `;
    at = end + 1;
  }
  return left + text.slice(at);
}
