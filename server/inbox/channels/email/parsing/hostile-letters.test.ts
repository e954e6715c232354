import { expect, test } from "vitest";
import { ReadingLimitExceeded } from "#server/platform/untrusted-text/threads.ts";
import { HOSTILE_KINDS, hostileLetters } from "#server/test/files/hostile-letters.ts";
import { serversNear } from "../authentication/sender-authenticity.ts";
import { READ_BYTES } from "../letter.ts";
import { readLetter } from "./read-letter.ts";

const OWN = "anna@mail.test";

test(
  "letters made to stop a server are read in another thread or given up, and the main thread stays free",
  async () => {
    const began = process.threadCpuUsage();
    const ends = await Promise.all(
      hostileLetters(OWN, HOSTILE_KINDS).map(({ kind, source }, at) => {
        const letter = { place: `1.${at}`, source: Buffer.from(source).subarray(0, READ_BYTES), arrivedAt: new Date() };
        return readLetter("org", {
          kind: "incoming",
          letter,
          own: OWN,
          trusted: serversNear("imap.mail.test", OWN),
        }).then(
          () => null,
          (error: unknown) => (error instanceof ReadingLimitExceeded ? null : `${kind}: ${error}`),
        );
      }),
    );
    const { user } = process.threadCpuUsage(began);
    expect(ends.filter((end) => end !== null)).toEqual([]);
    expect(user / 1000 / HOSTILE_KINDS).toBeLessThan(50);
  },
  // Each letter may use up the time limit of its thread.
  HOSTILE_KINDS * 8_000,
);
