/** What somebody has written, as the database takes it: PostgreSQL knows neither NUL nor half a character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "").trim();
