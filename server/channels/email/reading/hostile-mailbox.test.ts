/** Somebody fills a mailbox to stop the server; its letters take the real way through dovecot, the supervisor, the reading threads and the jobs. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SetAside } from "#contract/conversations/set-aside.ts";
import type { IntegrationEvent } from "#contract/integrations/integrations.ts";
import { integrations } from "#server/db/schema.ts";
import { approvals, type Connected, connectTwin, WAIT } from "#server/test/channels/channel-journey.ts";
import { HOSTILE_KINDS, hostileLetters } from "#server/test/files/hostile-letters.ts";
import { findDovecot, type MailServers, startMailServers } from "#server/test/servers/mail-servers.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "../../receiving/supervisor.ts";

const [ANN, PASSWORD] = ["ann@mail.test", "app password"];
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
const dovecot = findDovecot();
if (dovecot === undefined) console.warn("dovecot не найден: враждебный ящик не проверен");

describe.skipIf(dovecot === undefined)("a hostile mailbox", () => {
  let mail: MailServers;
  let t: TestApp;
  let supervisor: Supervisor;
  beforeAll(async () => {
    mail = await startMailServers(dovecot!, { [ANN]: PASSWORD, "ivan@mail.test": "ivan's" });
    t = await testApp({ emailServers: mail });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor?.stop();
    await t?.close();
    await mail?.close();
  });

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
    // The owner is told of each letter that was not read.
    const filler = await fillerReplyOf(bot);
    const told = (await logOf(bot)).filter((text) => text.includes("отложено"));
    expect(told).toHaveLength(filler.length);
    expect(filler.length).toBeLessThan(letters.length / 2);
  });
});
