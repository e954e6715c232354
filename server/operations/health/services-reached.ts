/** Asks the mail server that the settings name whether it is there, before somebody waits in vain for a letter. */
import type { Mailer } from "#server/accounts/mail/mail.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Log } from "#server/platform/log.ts";

/** Milliseconds between two looks: a server that was there is not asked to sign us in every minute. */
const LOOK_MS = { failing: 30_000, working: 10 * 60_000, files: 30_000 };

interface Deps {
  mailer: Pick<Mailer, "check">;
  files: Pick<FileStore, "check">;
  log: Log;
  now?: () => number;
}

export interface ServicesReached {
  /** Whether the mail server has answered at the last look; null: nobody has asked it, or the settings name none. */
  readonly letters: boolean | null;
  /** Looks now, as far as a look is due. Never throws. */
  look(): Promise<void>;
  /** Looks until the returned function is called. */
  start(): () => void;
}

export function watchServices({ mailer, files, log, now = Date.now }: Deps): ServicesReached {
  let letters: boolean | null = null;
  let stored: boolean | null = null;
  let dueAt = 0;

  async function look(): Promise<void> {
    await Promise.all([lookAtLetters(), lookAtFiles()]);
  }

  async function lookAtLetters(): Promise<void> {
    if (mailer.check === undefined || now() < dueAt) return;
    const before = letters;
    try {
      await mailer.check();
      letters = true;
      if (before === false) log.info("the mail server of SMTP_URL answers again");
    } catch (error) {
      letters = false;
      // The error quotes the address, not the password.
      if (before !== false)
        log.error({ err: error }, "the mail server of SMTP_URL does not answer: no letter goes out");
    }
    dueAt = now() + (letters ? LOOK_MS.working : LOOK_MS.failing);
  }

  async function lookAtFiles(): Promise<void> {
    const before = stored;
    try {
      await files.check();
      stored = true;
      if (before === false) log.info("the file storage answers again");
    } catch (error) {
      stored = false;
      if (before !== false)
        log.error({ err: error }, "the file storage does not answer: no file can be stored or read");
    }
  }

  return {
    get letters() {
      return letters;
    },
    look,
    start() {
      void look();
      const timer = setInterval(() => void look(), LOOK_MS.files).unref();
      return () => clearInterval(timer);
    },
  };
}
