/** Converts Markdown to plain text, because no channel renders it. Links and HTML are handled by `guard-output.ts`. */

const FENCE = /^\s{0,3}(?:```|~~~)[\w-]{0,20}\s{0,3}$/;
const RULE = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})\s{0,3}$/;
const TABLE_RULE = /^[\s|:-]{3,}$/;

/** @param text one line or several; a line of markup alone becomes empty */
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
  // A single star around a word is removed; «2*3» stays.
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
