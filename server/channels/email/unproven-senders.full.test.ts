/** What a mailbox does with senders that nobody has proven, letter by letter. */
import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contacts, conversations, integrations } from "#server/db/schema.ts";
import {
  approvals,
  type Connected,
  connectTwin,
  drafted,
  eventsOf,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { dovecot, IVAN, PASSED, PASSWORD } from "#server/test/channels/unproven-senders-bench.ts";
import { type MailServers, startMailServers } from "#server/test/servers/mail-servers.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { UNPROVEN_LIMITS } from "../core/answers/unproven-limit.ts";
import { UNPROVEN_STOP } from "../core/conversations/answer-policy.ts";
import { type Supervisor, startSupervisor } from "../receiving/supervisor.ts";

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
  const reasons = async ({ ann }: Connected) => (await approvals(ann)).map(({ reason }) => reason);
  const optedOut = async ({ twinId }: Connected): Promise<boolean[]> =>
    (await t.services.db.select().from(conversations).where(eq(conversations.twinId, twinId))).map(
      (row) => row.optedOutAt !== null,
    );

  test("writes few letters to an address in whose name anybody writes, and goes on where one was surely received", async () => {
    const box = await mailbox();
    const letters = UNPROVEN_LIMITS.addressDay + 2;
    for (let at = 0; at < letters; at++) await box.arrives("Привет!");
    await box.handled(letters);
    expect(box.sent()).toHaveLength(UNPROVEN_LIMITS.addressDay);
    expect(await reasons(box)).toEqual(Array(2).fill(expect.stringMatching(/не подтверждён, а этому адресу за сутки/)));
    // A made-up key proves nothing.
    const [own] = box.sent();
    await box.arrives("Привет!", { "In-Reply-To": own!.id.replace(/^<twin\.[^.]+/, `<twin.${randomUUID()}`) });
    await box.handled(letters + 1);
    expect(box.sent()).toHaveLength(UNPROVEN_LIMITS.addressDay);
    await box.arrives("Привет!", { "In-Reply-To": own!.id });
    await expect.poll(() => box.sent().length, WAIT).toBe(UNPROVEN_LIMITS.addressDay + 1);
    // Another's key does not help whoever has received an answer himself.
    await box.arrives("Привет!", { From: "victim@client.test", "In-Reply-To": own!.id });
    await box.arrives(
      "Привет!",
      { From: "Mallory <m@evil.test>", "Reply-To": IVAN },
      "dmarc=pass header.from=evil.test",
    );
    await box.handled(letters + 4);
    const answered = box.sent().map(({ to }) => to);
    expect(answered.filter((to) => to === IVAN)).toHaveLength(UNPROVEN_LIMITS.addressDay + 1);
  });

  test("is not silenced by a «СТОП» that anybody may have written: its owner is asked, and that address alone is held", async () => {
    const box = await mailbox();
    await box.arrives("Привет!", {}, PASSED);
    await box.handled(1);
    await box.arrives("СТОП");
    await box.arrives("СТОП");
    await box.handled(3);
    expect(await optedOut(box)).toEqual([false, false, false]);
    expect(await approvals(box.ann)).toMatchObject([{ question: "СТОП", text: "", reason: UNPROVEN_STOP }]);
    const log = (await box.ann.get(`/api/integrations/${box.integration.id}/events`)).json();
    expect(log.map(({ text }: { text: string }) => text)).toContainEqual(
      "Ivan: просит больше не писать, но отправитель не подтверждён",
    );
    await box.arrives("Привет!");
    expect((await drafted(box.ann, 2))[1]).toMatchObject({ reason: UNPROVEN_STOP });
    await box.arrives("Привет!", {}, PASSED);
    await box.arrives("Привет!", { From: "oleg@client.test" });
    await box.handled(6);
    expect(
      box
        .sent()
        .map(({ to }) => to)
        .sort(),
    ).toEqual([IVAN, IVAN, "oleg@client.test"]);

    // The owner who answers there has decided.
    const held = (await approvals(box.ann))[1]!;
    await box.ann.post(`/api/approvals/${held.id}/approve`);
    await box.arrives("Привет!");
    await expect.poll(() => box.sent().filter(({ to }) => to === IVAN).length, WAIT).toBe(4);
  });

  test("obeys a «СТОП» of a sure sender in all threads of the address, until he takes it back himself", async () => {
    const box = await mailbox();
    await box.arrives("Привет!", {}, PASSED);
    await box.handled(1);
    // Without results of the server: he answers our letter.
    await box.arrives("СТОП", { "In-Reply-To": box.sent()[0]!.id });
    await box.handled(2);
    await box.arrives("Привет!", {}, PASSED);
    await box.arrives("СТАРТ");
    await box.handled(4);
    expect(await optedOut(box)).toEqual([true, true, true]);
    expect(box.sent()).toHaveLength(1);
    await box.arrives("СТАРТ", {}, PASSED);
    await expect.poll(() => box.sent().length, WAIT).toBe(2);
    expect((await optedOut(box)).every((out) => !out)).toBe(true);
    const held = and(eq(contacts.twinId, box.twinId), eq(contacts.externalId, IVAN));
    expect((await t.services.db.select().from(contacts).where(held))[0]!.unprovenStopAt).toBeNull();
  });
});
