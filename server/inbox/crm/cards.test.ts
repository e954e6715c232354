/** Cards after a crash, a lost answer, a refusal or an ended access: nothing is made twice, and what cannot be made says why. */
import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { asPlatform } from "#server/platform/db/database.ts";
import { crmConnections, crmTwins } from "#server/platform/db/schema/programs.ts";
import {
  amo,
  answerConversation,
  bitrix,
  cardOf,
  connectionOf,
  connectTwin,
  deps,
  HOSTS,
  prepareCards,
  setCard,
  sync,
} from "#server/test/crm/cards-bench.ts";
import { answer, startProvider } from "#server/test/servers/provider-server.ts";
import { findDueConnections } from "./cards.ts";
import { protocolOf, redirectUrlOf, validTokens } from "./tokens.ts";

prepareCards();

const REFUSED = "amoCRM больше не принимает доступ. Подключите заново.";
const leadsOf = (contact: string) => amo.leads.filter((lead) => lead.contact.first_name === contact);
const ofBitrix = (key: string) => ({
  contacts: bitrix.contacts.filter(({ ORIGIN_ID }) => ORIGIN_ID === key),
  deals: bitrix.deals.filter(({ ORIGIN_ID }) => ORIGIN_ID === key),
});

describe("what was made already is found and not made again", () => {
  test("in amoCRM, after the process was killed between the call and its answer", async () => {
    const twin = await connectTwin("amocrm");
    const talk = await answerConversation(twin, { participantName: "Вера" });
    await sync(twin);
    const made = await cardOf(talk);
    expect(made).toMatchObject({ state: "made", dealId: String(leadsOf("Вера")[0]!.id) });
    leadsOf("Вера")[0]!.notes.length = 0;
    await setCard(talk, { state: "making", dealId: null, contactId: null, madeAt: null });
    await sync(twin);
    expect(await cardOf(talk)).toMatchObject({ state: "made", dealId: made.dealId, contactId: made.contactId });
    expect(leadsOf("Вера")).toMatchObject([{ notes: [expect.stringContaining(`dialog=${talk}`)] }]);
    // Killed once more, while the note was written.
    await setCard(talk, { state: "noting" });
    await sync(twin);
    expect(await cardOf(talk)).toMatchObject({ state: "made" });
    expect(leadsOf("Вера")[0]!.notes).toHaveLength(1);
  });

  test("in amoCRM, where the call of the killed process has not arrived", async () => {
    const twin = await connectTwin("amocrm");
    const talk = await answerConversation(twin, { participantName: "Лев" });
    await setCard(talk, { state: "making" });
    await sync(twin);
    expect(leadsOf("Лев")).toHaveLength(1);
    // The note of the next one has not arrived.
    leadsOf("Лев")[0]!.notes.length = 0;
    await setCard(talk, { state: "noting" });
    await sync(twin);
    expect(leadsOf("Лев")[0]!.notes).toHaveLength(1);
  });

  test("in Bitrix24, whose answer was lost: the card waits, says so, and gets the deal that is missing", async () => {
    const twin = await connectTwin("bitrix24");
    bitrix.loseAnswer("crm.contact.add");
    const talk = await answerConversation(twin);
    await sync(twin);
    const waiting = await cardOf(talk);
    expect(waiting).toMatchObject({ state: "making", attempts: 1, error: expect.stringContaining("не отвечает") });
    expect(waiting.nextAttemptAt.getTime()).toBeGreaterThan(Date.now());
    // Before its time comes, nothing is called.
    await sync(twin);
    expect((await cardOf(talk)).attempts).toBe(1);
    await setCard(talk, { nextAttemptAt: new Date(0) });
    await sync(twin);
    expect(await cardOf(talk)).toMatchObject({ state: "made", error: null });
    expect(ofBitrix(talk)).toMatchObject({ contacts: [{ NAME: "Иван" }], deals: [{ TITLE: "Иван · Telegram" }] });
    const notes = () => bitrix.comments.filter(({ COMMENT }) => COMMENT.includes(talk));
    expect(notes()).toHaveLength(1);
    await setCard(talk, { state: "noting" });
    await sync(twin);
    expect([(await cardOf(talk)).state, notes().length]).toEqual(["made", 1]);
  });
});

describe("a card that cannot be made", () => {
  test("because its deal was deleted in the CRM fails with the reason, and the next one is made", async () => {
    const twin = await connectTwin("amocrm");
    const [gone, next] = [await answerConversation(twin), await answerConversation(twin, { participantName: "Яна" })];
    const deleted = { state: "noting", dealId: "1", contactId: "2", nextAttemptAt: new Date(0) } as const;
    await setCard(gone, deleted);
    await sync(twin);
    expect(await cardOf(gone)).toMatchObject({
      state: "failed",
      error: "amoCRM не принимает запрос (ответ 404)",
    });
    expect((await cardOf(next)).state).toBe("made");
  });

  test("because the CRM stays away for days fails, and says so", async () => {
    const twin = await connectTwin("bitrix24");
    const talk = await answerConversation(twin);
    await setCard(talk, { attempts: 23 });
    bitrix.loseAnswer("crm.contact.add");
    await sync(twin);
    expect(await cardOf(talk)).toMatchObject({ state: "failed", error: "Битрикс24 не отвечает несколько дней" });
  });
});

test("the contact gets the telephone or the address that his name on the platform is, and a nameless one is said to be so", async () => {
  const [inAmo, inBitrix] = [await connectTwin("amocrm"), await connectTwin("bitrix24")];
  await answerConversation(inAmo, { participantName: "Олег", handle: "+7 (999) 123-45-67" });
  await answerConversation(inAmo, { participantName: "Майя", handle: "maya@example.test" });
  await answerConversation(inAmo, { participantName: " ", handle: "@nobody" });
  await sync(inAmo);
  const fields = (contact: string) => leadsOf(contact)[0]!.contact.custom_fields_values;
  expect(fields("Олег")).toMatchObject([{ field_code: "PHONE", values: [{ value: "+7 (999) 123-45-67" }] }]);
  expect(fields("Майя")).toMatchObject([{ field_code: "EMAIL", values: [{ value: "maya@example.test" }] }]);
  expect(fields("Без имени")).toBeUndefined();
  const [called, written] = [
    await answerConversation(inBitrix, { handle: "89991234567" }),
    await answerConversation(inBitrix, { handle: "ivan@example.test" }),
  ];
  await sync(inBitrix);
  expect(ofBitrix(called).contacts[0]).toMatchObject({ PHONE: [{ VALUE: "89991234567" }] });
  expect(ofBitrix(called).contacts[0]).not.toHaveProperty("EMAIL");
  expect(ofBitrix(written).contacts[0]).toMatchObject({ EMAIL: [{ VALUE: "ivan@example.test" }] });
});

describe("access", () => {
  test.each(["amocrm", "bitrix24"] as const)(
    "that %s refuses before its time is renewed, and the card is made",
    async (system) => {
      const twin = await connectTwin(system);
      const crm = { amocrm: amo, bitrix24: bitrix }[system];
      const talk = await answerConversation(twin);
      const grants = crm.grants.length;
      crm.endAccess();
      await sync(twin);
      expect((await cardOf(talk)).state).toBe("made");
      expect(crm.grants.slice(grants)).toMatchObject([{ grant: "refresh_token", status: 200 }]);
    },
  );

  test("whose refresh token another program has used is broken until an administrator signs in again, and asks the CRM nothing", async () => {
    const twin = await connectTwin("amocrm");
    const talk = await answerConversation(twin);
    await protocolOf(deps.config, "amocrm").refresh(HOSTS.amocrm, twin.tokens, redirectUrlOf(deps.config));
    amo.endAccess();
    await sync(twin);
    expect(await connectionOf(twin)).toMatchObject({ state: "broken", reason: REFUSED, refreshingSince: null });
    expect((await cardOf(talk)).state).not.toBe("failed");
    const grants = amo.grants.length;
    await sync(twin);
    await expect(validTokens(deps, twin.tenant, twin.connectionId, null)).rejects.toThrow(REFUSED);
    expect(amo.grants.length).toBe(grants);
    const due = await asPlatform(deps.db, (tx) => findDueConnections(tx));
    expect(due.map(({ connectionId }) => connectionId)).not.toContain(twin.connectionId);
  });

  test("that is refused although it was renewed is broken too, and is not renewed again and again", async () => {
    let grants = 0;
    const refusing = await startProvider(({ path }, response) => {
      if (path !== "/oauth2/access_token") return answer(response, 401, { title: "Unauthorized" });
      grants++;
      answer(response, 200, { access_token: crypto.randomUUID(), refresh_token: "next", expires_in: 86_400 });
    });
    onTestFinished(() => refusing.close());
    const config = { ...deps.config, crmUrls: { ...deps.config.crmUrls, amocrm: refusing.root } };
    const twin = await connectTwin("amocrm", { ...deps, config });
    await answerConversation(twin);
    await sync(twin, { ...deps, config });
    expect(await connectionOf(twin)).toMatchObject({ state: "broken", reason: REFUSED });
    // One for the sign-in, one for the renewal.
    expect(grants).toBe(2);
  });

  test("stays as it is while the CRM is away, and is renewed at the next run", async () => {
    const twin = await connectTwin("amocrm");
    const talk = await answerConversation(twin);
    await deps.db
      .update(crmConnections)
      .set({ refreshedAt: new Date(0) })
      .where(eq(crmConnections.id, twin.connectionId));
    const config = { ...deps.config, crmUrls: { ...deps.config.crmUrls, amocrm: "http://127.0.0.1:9" } };
    await sync(twin, { ...deps, config });
    expect(await connectionOf(twin)).toMatchObject({ state: "connected", refreshingSince: null });
    expect(await cardOf(talk)).toMatchObject({ state: "waiting", attempts: 0 });
    await sync(twin);
    expect((await cardOf(talk)).state).toBe("made");
  });
});

test("a connection is kept alive by its administrator, after he has left by the owner of a twin, and by no one else", async () => {
  const twin = await connectTwin("amocrm");
  const ofRow = eq(crmConnections.id, twin.connectionId);
  const due = async () =>
    (await asPlatform(deps.db, (tx) => findDueConnections(tx))).filter(
      ({ connectionId }) => connectionId === twin.connectionId,
    );
  expect(await due()).toEqual([]);
  await deps.db
    .update(crmConnections)
    .set({ refreshedAt: new Date(0) })
    .where(ofRow);
  expect(await due()).toMatchObject([{ userId: twin.tenant.userId }]);
  await deps.db.update(crmConnections).set({ connectedBy: null }).where(ofRow);
  expect(await due()).toMatchObject([{ userId: twin.tenant.userId }]);
  await deps.db.delete(crmTwins).where(eq(crmTwins.connectionId, twin.connectionId));
  expect(await due()).toEqual([]);
  // An answer of a twin whose conversations go to no CRM makes no card.
  expect(await cardOf(await answerConversation(twin))).toBeUndefined();
});
