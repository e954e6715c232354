const VERDICT =
  /^\s{0,3}(?:да|нет|ага|угу|конечно|можно|нельзя|есть|yes|no)(?!\p{L})(?!,\s{0,2}(?:я|мне|у меня|мы)(?!\p{L}))/iu;

/** Whether the sentence is a «Да» or «Нет, не возим»: together with it even the question's own words are an answer. */
export const isVerdict = (sentence: string): boolean => VERDICT.test(sentence);
