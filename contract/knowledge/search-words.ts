// A file of its own, because a first load marks words and need not bring the schemas along.

const MAX_SEARCH_WORDS = 8;

/**
 * Splits a search into words. A message matches when it contains all of them, in any order; case and the difference between «ё» and
 * «е» are ignored. The end of a very long search is ignored.
 */
export const searchWords = (search: string): string[] => search.split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
