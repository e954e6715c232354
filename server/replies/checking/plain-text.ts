/** What a model writes as Markdown, as a messenger shows it: no channel of ours reads marks. Links and HTML are `guard-output.ts`'s. */

const FENCE = /^\s{0,3}(?:```|~~~)[\w-]{0,20}\s{0,3}$/;
const RULE = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})\s{0,3}$/;
const TABLE_RULE = /^[\s|:-]{3,}$/;

/** One line or several; what is nothing but a mark becomes empty. */
export function withoutMarkdown(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => {
      if (FENCE.test(line) || RULE.test(line) || (line.includes("|") && TABLE_RULE.test(line))) return [];
      return [plainLine(line)];
    })
    .join("\n");
}

function plainLine(line: string): string {
  let plain = line
    .replace(/^(\s{0,6})#{1,6}\s{1,4}/, "$1")
    .replace(/^\s{0,3}>\s?/, "")
    .replace(/^(\s{0,8})[*+]\s{1,4}/, "$1— ");
  plain = plain.replace(/\*{2,3}|_{2,3}|~~|`/g, "");
  // A single star around a word; «2*3» stays.
  plain = plain.replace(/(?<![\p{L}\p{N}*])\*(?=\S)|(?<=\S)\*(?![\p{L}\p{N}*])/gu, "");
  const cells = plain.trim();
  if (/^\|.{1,2000}\|$/.test(cells))
    plain = cells
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim())
      .filter((cell) => cell !== "")
      .join(" — ");
  return plain;
}
