import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { crmCards, crmConnections } from "#server/platform/db/schema/programs.ts";
import { WAIT } from "#server/test/channels/bot-bench.ts";
import {
  amo,
  answered,
  bench,
  bitrix,
  botWith,
  cardsOf,
  connectCrm,
  fill,
  overview,
  prepareCrm,
} from "#server/test/crm/crm-bench.ts";
import { AMOCRM_APP } from "#server/test/servers/amocrm-server.ts";

prepareCrm();

test.each(["amocrm", "bitrix24"] as const)(
  "what %s has made without our hearing of it is found, not made again",
  async (system) => {
    const { bot, connection } = await botWith(system);
    if (system === "bitrix24") bitrix.loseAnswer("crm.contact.add");
    const before = { leads: amo.leads.length, contacts: bitrix.contacts.length, deals: bitrix.deals.length };
    await answered(bot, connection.id);
    await expect.poll(async () => (await cardsOf(connection.id))[0]?.attempts, WAIT).toBeGreaterThan(0);
    const { db } = bench.t.services;
    if (system === "amocrm") {
      // Simulates a process that was killed between the call and its response.
      await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
      const undone = { state: "making", dealId: null, contactId: null, madeAt: null } as const;
      await db.update(crmCards).set(undone).where(eq(crmCards.connectionId, connection.id));
    } else {
      await expect.poll(async () => (await cardsOf(connection.id))[0]?.error, WAIT).toMatch(/не отвечает/);
    }
    await db
      .update(crmCards)
      .set({ nextAttemptAt: new Date(0) })
      .where(eq(crmCards.connectionId, connection.id));
    await fill(bot, connection.id);
    expect((await cardsOf(connection.id))[0]).toMatchObject({ state: "made", error: null });
    if (system === "amocrm") expect(amo.leads.length).toBe(before.leads + 1);
    else expect([bitrix.contacts.length, bitrix.deals.length]).toEqual([before.contacts + 1, before.deals + 1]);
  },
);

test("an access that is refused although its time has not come is renewed, and a used refresh token asks for signing in again", async () => {
  const { bot, connection } = await botWith("amocrm");
  amo.endAccess();
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
  // Another program has used the refresh token that we store.
  await fetch(`${amo.root}/oauth2/access_token`, {
    method: "POST",
    body: JSON.stringify({
      client_id: AMOCRM_APP.clientId,
      client_secret: AMOCRM_APP.clientSecret,
      redirect_uri: amo.redirectUrl,
      grant_type: "refresh_token",
      refresh_token: amo.lastRefreshToken(),
    }),
  });
  await bench.t.services.db
    .update(crmConnections)
    .set({ refreshedAt: new Date(0) })
    .where(eq(crmConnections.id, connection.id));
  await fill(bot, connection.id);
  expect((await overview(bot.owner)).connections[0]).toMatchObject({
    state: "broken",
    reason: "amoCRM больше не принимает доступ. Подключите заново.",
  });
  const again = await connectCrm(bot.owner, "amocrm");
  expect(again).toMatchObject({ id: connection.id, state: "connected", cards: { made: 1 } });
  expect((await overview(bot.owner)).choices).toHaveLength(1);
});

test("the calls of a backlog stay below what the CRM takes", () => {
  expect(amo.tooFast).toBe(0);
});
