/** Limits on fetching, storing and reading media that strangers send, for every reader. */

/** Maximum size of one original; Telegram's bots cannot download more either. */
export const LARGEST_BYTES = 20 * 1024 ** 2;
export const MOST_PER_MESSAGE = 4;
/** Maximum length of recognised text, in UTF-16 units. */
export const LONGEST_TEXT = 4_000;
/** Maximum length of recognised text of a document, in UTF-16 units. */
export const LONGEST_DOCUMENT_TEXT = 50_000;
/** Milliseconds for fetching one original from its platform. */
export const FETCH_MS = 60_000;
/** Milliseconds for reading one original. */
export const READ_MS = 120_000;
/** Maximum number of started attempts, any of which may have crashed the process. */
export const MOST_ATTEMPTS = 5;
/** The lowest bitrate of speech in messengers, in bytes per second: it gives the assumed length of a recording of unknown length. */
export const LEAN_BYTES_A_SECOND = 2_000;
