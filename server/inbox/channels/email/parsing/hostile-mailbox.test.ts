/** An attacker fills a mailbox to stop the server; the letters go through dovecot, the supervisor, the reading threads and the jobs. */
import { describe, expect, test } from "vitest";
import type { SetAside } from "#contract/conversations/set-aside.ts";
import type { IntegrationEvent } from "#contract/integrations/integrations.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { approvals, type Connected, connectTwin, WAIT } from "#server/test/channels/channel-journey.ts";
import { dovecot, mail, PASSWORD, prepareMail, t } from "#server/test/channels/mail-bench.ts";
import { HOSTILE_KINDS, hostileLetters } from "#server/test/files/hostile-letters.ts";

const ANN = "ann@mail.test";
const WORST = [
  "a report of spaces",
  "a stop among spaces",
  "quotes without end",
  "one line of dots",
  "nested tags",
  "tags that do not end",
  "addresses without end",
  "references to itself",
  "encoded words",
  "parts in parts",
  "a flood of headers",
  "a packed attachment",
  "letters that there are not",
  "right to left and invisible",
];

describe.skipIf(dovecot === undefined)("a hostile mailbox", () => {
  prepareMail({ [ANN]: PASSWORD, "ivan@mail.test": "ivan's" });

  const fillerReplyOf = async ({ ann, integration }: Connected): Promise<SetAside[]> =>
    (await ann.get(`/api/integrations/${integration.id}/set-aside`)).json();
  const logOf = async ({ ann, integration }: Connected): Promise<string[]> =>
    (await ann.get(`/api/integrations/${integration.id}/events`)).json().map(({ text }: IntegrationEvent) => text);

  test("each letter is read or set aside, and the next good one is answered", async () => {
    const bot = await connectTwin(t, { platform: "email", apiKey: PASSWORD, settings: { address: ANN } });
    const cursor = async () => (await t.services.db.select().from(integrations))[0]!.cursor as { inbox?: object };
    await expect.poll(async () => (await cursor()).inbox, WAIT).toBeDefined();
    const letters = hostileLetters(ANN, HOSTILE_KINDS).filter(({ kind }) => WORST.includes(kind));
    expect(letters).toHaveLength(WORST.length);
    for (const { source } of letters) await mail.deliver(ANN, source);
    const good = ["From: Ivan <ivan@mail.test>", `To: ${ANN}`, "Message-ID: <good@mail.test>", "", "Skolko stoit?", ""];
    await mail.deliver(ANN, good.join("\r\n"));
    const fromIvan = async () => (await approvals(bot.ann)).filter(({ contactName }) => contactName === "Ivan");
    await expect.poll(async () => (await fromIvan()).length, { timeout: 150_000, interval: 300 }).toBe(1);
    // The owner is notified of each letter that was not read.
    const filler = await fillerReplyOf(bot);
    const told = (await logOf(bot)).filter((text) => text.includes("отложено"));
    expect(told).toHaveLength(filler.length);
    expect(filler.length).toBeLessThan(letters.length / 2);
  });
});
