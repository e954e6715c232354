/** Receives a test server's letters instead of a mail server. */
import type { Letter } from "#server/accounts/mail/mail.ts";
import type { Services } from "#server/services.ts";

export interface Mailbox {
  letters: Letter[];
  /** The newest letter to `address`, waited for: letters leave after the answer. */
  letterTo(address: string): Promise<Letter>;
  /** The token in the link of the newest letter to `address`. */
  tokenTo(address: string): Promise<string>;
}

export function openMailbox(services: Services): Mailbox {
  const letters: Letter[] = [];
  services.mailer = { way: "mail", send: async (letter) => void letters.push(letter) };
  const letterTo = async (address: string): Promise<Letter> => {
    const deadline = Date.now() + 5000;
    for (;;) {
      const letter = letters.findLast(({ to }) => to === address);
      if (letter !== undefined) return letter;
      if (Date.now() > deadline) throw new Error(`No letter to ${address}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    letters,
    letterTo,
    tokenTo: async (address) => /\?token=([\w-]+)/.exec((await letterTo(address)).text)![1]!,
  };
}
