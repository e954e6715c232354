/** How much of what strangers send is fetched, kept and read, with any reader. */

/** Bytes of one original; Telegram gives its bots no more than this either. */
export const LARGEST_BYTES = 20 * 1024 ** 2;
/** Recordings and pictures of one message. */
export const MOST_PER_MESSAGE = 4;
/** UTF-16 units of what one says. */
export const LONGEST_TEXT = 4_000;
/** UTF-16 units of what one that is a document says. */
export const LONGEST_DOCUMENT_TEXT = 50_000;
/** Milliseconds for fetching one original from its platform, and for reading it. */
export const FETCH_MS = 60_000;
export const READ_MS = 120_000;
/** Begun attempts, of which each may have ended the process. */
export const MOST_ATTEMPTS = 5;
/** Bytes a second of the leanest speech that messengers send: a recording of unknown length is assumed to be this long. */
export const LEAN_BYTES_A_SECOND = 2_000;
