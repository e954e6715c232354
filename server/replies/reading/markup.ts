/** The words of Markdown and HTML; a sentence may begin or end in the middle of either. */
export function withoutMarkup(text: string): string {
  return (
    withoutPrograms(text)
      .replace(/<\/?[a-z!][^>]*>?/gi, " ")
      .replace(/!\[[^\][]*(?:\]\([^()]*\)?|\]?$)/g, " ")
      .replace(/\[([^\][]*)\]\([^()]*\)?/g, "$1")
      .replace(/(\*\*|__|`)(.+?)\1/g, "$2")
      // Half of a pair that another sentence has the other half of.
      .replace(/(?<!\S)(?:\*\*|__)(?!\S)|^(?:\*\*|__)|(?:\*\*|__)$/gm, "")
      .replace(/^#{1,6}\s+/gm, "")
      .replace(/[ \t]{2,}/g, " ")
      .trim()
  );
}

/** Without scripts and styles, from tag to tag; one that does not end goes with its tag alone. */
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
