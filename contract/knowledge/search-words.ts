// A separate file, because the first page load highlights words and need not include the schemas.

const MAX_SEARCH_WORDS = 8;

/**
 * Splits a search into words. A message matches when it contains all of them, in any order; case is ignored, and «ё» equals
 * «е». The end of a very long search is ignored.
 */
export const searchWords = (search: string): string[] => search.split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
