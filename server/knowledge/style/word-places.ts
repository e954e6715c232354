import type { FoundPhrase } from "#server/knowledge/language/words/lexicon.ts";

/** Characters that join neighbours to a longer word, a path, an address or a name. */
const GLUE = /[-_/\\@$=~#+&|`]/;
const GLUE_BEFORE = /[_/\\@$=~#|`]$|(?<=\s)-$/;
const GLUE_BEHIND = /^[_/\\@$=~|`]/;

/**
 * Whether the phrase is a part of something else: «таки» of «все-таки», «r» of «rm -r», «так точно» of «так, точно он». A repeated word
 * («привет-привет») is no other word.
 */
export function isGlued(
  { at, length }: Pick<FoundPhrase, "at" | "length">,
  { words, gaps }: { words: readonly string[]; gaps: readonly string[] },
): boolean {
  const end = at + length;
  for (let inner = at + 1; inner < end; inner++) {
    if (!/^[\s-]*$/.test(gaps[inner]!) && words[inner] !== words[inner - 1]) return true;
  }
  return (
    GLUE_BEFORE.test(gaps[at]!) ||
    GLUE_BEHIND.test(gaps[end]!) ||
    (at > 0 && joins(gaps[at]!) && words[at - 1] !== words[at]) ||
    (end < words.length && joins(gaps[end]!) && words[end] !== words[end - 1])
  );
}

const joins = (gap: string) => !/\s/.test(gap) && GLUE.test(gap);
