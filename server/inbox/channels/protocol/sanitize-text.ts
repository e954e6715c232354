/** Text that PostgreSQL accepts: without NUL and lone surrogates. */
export const sanitizeText = (text: string): string => text.toWellFormed().replaceAll("\u0000", "").trim();
