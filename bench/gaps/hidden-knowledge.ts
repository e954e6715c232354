// A knowledge base of which a part is hidden: lines of tables and lists, and sentences of prose, drawn by a seed.
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Base } from "../answers/questions.ts";
import { plain } from "../answers/verdict.ts";

interface HiddenBase {
  /** The base without what is hidden. */
  shown: Base;
  hidden: string[];
  /** All that is not hidden, as one text. */
  visible: string;
}

/** A heading, the rule under a table's head, a table's or a file's first line: without them nothing below can be read. */
const isFrame = (line: string, before: string | undefined, after: string | undefined) =>
  /^\s*(?:#|\|?\s*:?-{2,})/u.test(line) ||
  before === undefined ||
  (after !== undefined && /^\s*\|?\s*:?-{2,}/u.test(after));

/** @param share 0..1 of the pieces */
export function hidePart(base: Base, share: number, seed: string): HiddenBase {
  const random = seededRandom(`${seed} ${base.name}`);
  const hidden: string[] = [];
  const kept: string[] = [];
  const documents = base.documents.map(({ name, text }) => {
    const lines = text.split("\n");
    const shown = lines.map((line, at) => {
      if (line.trim() === "" || isFrame(line, lines[at - 1], lines[at + 1])) return line;
      const isRow = line.includes("|") || name.endsWith(".csv");
      const pieces = isRow ? [line] : splitSentences(line);
      const left = pieces.filter((piece) => {
        const hides = random() < share;
        if (hides) hidden.push(piece.trim());
        return !hides;
      });
      return left.join(" ");
    });
    kept.push(...shown);
    return { name, text: shown.join("\n") };
  });
  return { shown: { ...base, documents }, hidden, visible: plain(kept.join("\n")) };
}
