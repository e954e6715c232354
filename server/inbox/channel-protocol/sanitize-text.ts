/** Removes NUL and lone surrogates, which PostgreSQL does not accept. */
export const sanitizeText = (text: string): string => text.toWellFormed().replaceAll("\u0000", "").trim();
