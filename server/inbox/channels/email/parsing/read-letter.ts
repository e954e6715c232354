/** Parses letters in separate threads, so that no untrusted letter can block the server. */

import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { ReadingThreads } from "#server/platform/untrusted-text/threads.ts";
import type { LetterTask } from "./letter-worker.ts";

const threads = new ReadingThreads<LetterTask, Inbound[]>({
  file: new URL("letter-worker.ts", import.meta.url),
  // The longest letter takes a tenth of a second, and a thread's first letter loads the library as well.
  withinMs: 5_000,
});

/**
 * @param whose the organisation of the mailbox
 * @returns the messages and reports in the letter, in order
 * @throws Overrun for a letter that takes too much time or memory
 */
export const readLetter = (whose: string, task: LetterTask): Promise<Inbound[]> => threads.read(whose, task);
