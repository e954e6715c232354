/** Playwright's `test` with a Telegram bot of the test's own (e2e/servers/bot-api.ts). */

import { test as base, expect } from "../support/fixtures.ts";
import { BOT_API } from "./bot-api.ts";

export { expect };

interface Bot {
  token: string;
  /** A person called Иван writes to the bot: a contact, or the user of the chat with this number. */
  say(text: string, chat?: number): Promise<void>;
  /** Its owner revokes the token at the platform; gives back the one that is valid from now on. */
  renew(): Promise<string>;
  /** Texts that the bot sent, in order. */
  sent(): Promise<string[]>;
}

export const test = base.extend<{ bot: Bot }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  bot: async ({}, use) => {
    const control = `${process.env[BOT_API]}/control`;
    const token: string = await (await fetch(control, { method: "POST" })).json();
    await use({
      token,
      say: async (text, chat = 5) => {
        await fetch(`${control}/${token}`, { method: "POST", body: JSON.stringify({ text, chat }) });
      },
      renew: async () => (await fetch(`${control}/${token}`, { method: "DELETE" })).json(),
      sent: async () => (await fetch(`${control}/${token}`)).json(),
    });
  },
});
