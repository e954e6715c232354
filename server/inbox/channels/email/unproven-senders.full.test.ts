import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { UNPROVEN_LIMITS } from "#server/inbox/answering/unproven-limit.ts";
import { UNPROVEN_STOP } from "#server/inbox/conversation-control/answer-policy.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { approvals, type Connected, drafted, WAIT } from "#server/test/channels/channel-journey.ts";
import { dovecot, prepareMail, t, twinMailboxes } from "#server/test/channels/mail-bench.ts";
import { IVAN, mailbox, PASSED } from "#server/test/channels/unproven-senders-bench.ts";

describe.skipIf(dovecot === undefined)("a mailbox that answers automatically", () => {
  prepareMail(twinMailboxes(10));
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
    // An invented key proves nothing.
    const [own] = box.sent();
    await box.arrives("Привет!", { "In-Reply-To": own!.id.replace(/^<twin\.[^.]+/, `<twin.${randomUUID()}`) });
    await box.handled(letters + 1);
    expect(box.sent()).toHaveLength(UNPROVEN_LIMITS.addressDay);
    await box.arrives("Привет!", { "In-Reply-To": own!.id });
    await expect.poll(() => box.sent().length, WAIT).toBe(UNPROVEN_LIMITS.addressDay + 1);
    // A recipient's own key does not prove another sender's address.
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

    // The owner's answer to the address is his decision.
    const held = (await approvals(box.ann))[1]!;
    await box.ann.post(`/api/approvals/${held.id}/approve`);
    await box.arrives("Привет!");
    await expect.poll(() => box.sent().filter(({ to }) => to === IVAN).length, WAIT).toBe(4);
  });

  test("obeys a «СТОП» of a sure sender in all threads of the address, until he takes it back himself", async () => {
    const box = await mailbox();
    await box.arrives("Привет!", {}, PASSED);
    await box.handled(1);
    // The server wrote no results, but the letter answers one of ours.
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
