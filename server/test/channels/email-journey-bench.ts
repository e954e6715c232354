/** What the journeys of a mailbox are made of. */
import { WAIT } from "./channel-journey.ts";
import { PASSWORD } from "./mail-bench.ts";

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
