/** Letters of forged and of unknown senders, on real mail servers. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { integrations } from "#server/db/schema.ts";
import { type Connected, connectTwin, drafted, eventsOf, WAIT } from "#server/test/channels/channel-journey.ts";
import { dovecot, IVAN, PASSED, PASSWORD } from "#server/test/channels/unproven-senders-bench.ts";
import { type MailServers, startMailServers } from "#server/test/servers/mail-servers.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "../receiving/supervisor.ts";

const FAILED = "dmarc=fail header.from=client.test";

describe.skipIf(dovecot === undefined)("a mailbox that answers by itself", () => {
  let mail: MailServers;
  let t: TestApp;
  let supervisor: Supervisor;
  beforeAll(async () => {
    const boxes = Array.from({ length: 10 }, (_, at) => [`ann${at}@mail.test`, PASSWORD]);
    mail = await startMailServers(dovecot!, Object.fromEntries(boxes));
    t = await testApp({ emailServers: mail });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor?.stop();
    await t?.close();
    await mail?.close();
  });

  let used = 0;
  interface Mailbox extends Connected {
    address: string;
    /** Delivers a letter as the receiving server stamps it. */
    arrives(text: string, headers?: Record<string, string>, results?: string | null): Promise<void>;
    /** Answers that have left, as (address, Message-ID), in order. */
    sent(): { to: string; id: string }[];
    handled(count: number): Promise<void>;
  }
  async function mailbox(): Promise<Mailbox> {
    const address = `ann${used++}@mail.test`;
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

  test("answers a sender whom its server has found to be the one named, and drafts for one found to be another", async () => {
    const box = await mailbox();
    await box.arrives("Привет!", {}, PASSED);
    await box.handled(1);
    expect(box.sent().map(({ to }) => to)).toEqual([IVAN]);
    await box.arrives("Привет!", {}, FAILED);
    expect(await drafted(box.ann)).toMatchObject([{ reason: expect.stringMatching(/может быть подделкой/) }]);
    await box.arrives("Привет!", {}, "spf=fail smtp.mailfrom=client.test; dkim=none");
    await drafted(box.ann, 2);
    expect(box.sent()).toHaveLength(1);
  });
});
