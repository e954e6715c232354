// What would make a measure worthless: a prompt that shows the true reply to one that is answered after it, and a private word that a
// stranger's prompt holds.
import { words } from "#server/knowledge/language/words/analyze.ts";
import { openCommonWords } from "#server/knowledge/public-replies/common-words.ts";
import { misspellingsIn } from "#server/knowledge/style/misspellings.ts";

export interface AskedPrompt {
  /** Who writes the completions; each reads no other one's prompts. */
  writer: string;
  person: number;
  /** Ascending in the order in which a writer reads. */
  number: number;
  system: string;
  /** Everything but the system part. */
  conversation: string;
  message: string;
  /** Empty while nobody has written it. */
  completion: string;
}

/** Shorter replies («да», «yes») stand in many conversations. */
const TELLING_REPLY = 12;

/** Returns how many prompts have a true reply that their writer has read in an earlier prompt. */
export function countGivenAway(prompts: readonly AskedPrompt[], replyTo: ReadonlyMap<string, string>): number {
  let given = 0;
  for (const own of Map.groupBy(prompts, ({ writer, person }) => `${writer} ${person}`).values()) {
    const sorted = own.toSorted((a, b) => a.number - b.number);
    for (const [at, { message }] of sorted.entries()) {
      const reply = replyTo.get(message) ?? "";
      const read = sorted.slice(0, at).some(({ system, conversation }) => `${system}\n${conversation}`.includes(reply));
      if (reply.length >= TELLING_REPLY && read) given++;
    }
  }
  return given;
}

/**
 * Returns the words of one person's system parts that only his letters can have brought in: not common and no known misspelling of a
 * common word, in no sample that he has opened to everybody, and in no other person's system part, where rules stand.
 */
export async function findPrivateWords(
  prompts: readonly AskedPrompt[],
  { open, written }: { open: readonly string[]; written: readonly string[] },
  others: readonly AskedPrompt[],
): Promise<string[]> {
  const isCommon = await openCommonWords();
  const allowed = new Set([...open.flatMap(words), ...others.flatMap(({ system }) => words(system))]);
  const own = new Set(written.flatMap(words));
  const held = new Set(prompts.flatMap(({ system }) => words(system)));
  const isKnown = (word: string) => allowed.has(word) || isCommon(word) || misspellingsIn(word, [word]).length > 0;
  return [...held].filter((word) => /\p{L}/u.test(word) && own.has(word) && !isKnown(word));
}
