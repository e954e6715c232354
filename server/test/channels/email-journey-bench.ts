/** What the journeys of a mailbox are made of. */

import type { Outgoing } from "#server/inbox/channel-protocol/channel.ts";
import { email } from "#server/inbox/channels/email/email.ts";
import { WAIT } from "./channel-journey.ts";
import { mail, PASSWORD } from "./mail-bench.ts";

/** Polling is slow, because each look starts a program. */
export const SLOWLY = { ...WAIT, interval: 300 };

export const fieldsOf = (address: string) => ({ platform: "email", apiKey: PASSWORD, settings: { address } });

let ids = 0;
/** A letter from Ivan, as it stands in the mailbox. */
export const letter = (to: string, text: string, headers: Record<string, string> = {}) => {
  const all = {
    From: "Ivan <ivan@mail.test>",
    To: to,
    "Message-ID": `<${++ids}@mail.test>`,
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  };
  return [...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", text, ""].join("\r\n");
};

export const outOf = (key: number, context: Record<string, unknown> = {}): Outgoing => ({
  key: `00000000-0000-4000-8000-${String(key).padStart(12, "0")}`,
  conversation: "ivan@mail.test/0123456789abcdef",
  context,
  lastInboundAt: null,
  text: "Да",
  delivered: 0,
});
export const channelOf = (address: string, reading?: { idleMs: number }) =>
  email(
    { platform: "email", address, user: null, password: PASSWORD, imap: null, smtp: null },
    mail,
    null,
    reading && { ...reading, settledMs: 0 },
  );
