/** A mailbox that automatically answers letters whose senders may be forged. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { type Connected, connectTwin, eventsOf, WAIT } from "./channel-journey.ts";
import { mail, PASSWORD, t, unusedMailbox } from "./mail-bench.ts";

export const IVAN = "ivan@client.test";
export const PASSED = "dmarc=pass header.from=client.test";

interface Mailbox extends Connected {
  address: string;
  /** Delivers a letter as the receiving server stamps it. */
  arrives(text: string, headers?: Record<string, string>, results?: string | null): Promise<void>;
  /** Answers that have left, as (address, Message-ID), in order. */
  sent(): { to: string; id: string }[];
  handled(count: number): Promise<void>;
}
/** Connects a mailbox that no test has used before. */
export async function mailbox(): Promise<Mailbox> {
  const address = unusedMailbox();
  const bot = await connectTwin(t, { platform: "email", apiKey: PASSWORD, settings: { address } }, "auto");
  const { id } = bot.integration;
  const cursor = async () =>
    (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!.cursor;
  await expect.poll(cursor, WAIT).toMatchObject({ inbox: {} });
  return {
    ...bot,
    address,
    async arrives(text, headers = {}, results = null) {
      const lines = Object.entries({
        ...(results === null ? {} : { "Authentication-Results": `mx.mail.test; ${results}` }),
        Received: "from sender.test (sender.test [192.0.2.1]) by mx.mail.test with ESMTPS id 1",
        From: `Ivan <${IVAN}>`,
        To: address,
        "Message-ID": `<${randomUUID()}@client.test>`,
        "Content-Type": "text/plain; charset=utf-8",
        ...headers,
      }).map(([name, value]) => `${name}: ${value}`);
      await mail.deliver(address, [...lines, "", text, ""].join("\r\n"));
    },
    sent: () =>
      mail.sent
        .filter(({ from }) => from === address)
        .map(({ to, source }) => ({ to, id: /^Message-ID:\s+(<[^>]+>)/im.exec(source.toString())![1]! })),
    async handled(count) {
      const states = async () => (await eventsOf(t, bot)).filter(({ status }) => status !== "pending").length;
      await expect.poll(states, WAIT).toBe(count);
      await t.jobsIdle();
    },
  };
}
