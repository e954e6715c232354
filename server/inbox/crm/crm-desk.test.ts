/** A tool reads a deal of the CRM, and writes a note into the deal of its conversation, by the access that the CRM's connection has. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import {
  amo,
  answerConversation,
  bitrix,
  type ConnectedTwin,
  cardOf,
  connectTwin,
  deps,
  prepareCards,
  sync,
} from "#server/test/crm/cards-bench.ts";
import { openCrmDesk } from "./crm-desk.ts";

prepareCards();

const { signal } = new AbortController();
const PHONE = "+7 912 345-67-89";

/** An act of the conversation, as the ledger has it. */
async function actOf({ tenant, twinId }: ConnectedTwin, conversationId: string | null): Promise<string> {
  const id = randomUUID();
  await asTenant(deps.db, tenant, (tx) =>
    tx.insert(acts).values({
      ...{ id, orgId: tenant.organizationId, twinId, conversationId, title: "Заметка", changes: true },
      ...{ state: "calling", arguments: [] },
    }),
  );
  return id;
}

describe.each(["amocrm", "bitrix24"] as const)("%s", (system) => {
  test("tells a deal by its number and by the contact's phone, and nothing of one that is not there", async () => {
    const twin = await connectTwin(system);
    const conversationId = await answerConversation(twin, { participantName: "Пётр", handle: PHONE });
    await sync(twin);
    const { dealId } = await cardOf(conversationId);
    const desk = openCrmDesk(deps);
    const read = (by: { deal?: string; phone?: string }) => desk.readDeal(twin.tenant, twin.twinId, by, signal);
    const deal = await read({ deal: dealId! });
    expect(deal).toMatchObject({
      ...{ number: dealId, stage: "Готовим заказ", title: expect.stringContaining("Пётр") },
      ...{ amount: expect.stringContaining("1500"), contact: { name: "Пётр", phones: [PHONE] } },
    });
    expect(await read({ phone: "89123456789" })).toEqual(deal);
    expect(await read({ deal: "999999" })).toBeNull();
    expect(await read({ deal: "1/../2" })).toBeNull();
    expect(await read({ phone: "+7 999 000-00-00" })).toBeNull();
    expect(await read({ phone: "6789" })).toBeNull();
  });

  test("takes a note into the deal of the conversation, with a new token where the old one was revoked", async () => {
    const twin = await connectTwin(system);
    const conversationId = await answerConversation(twin);
    await sync(twin);
    const { dealId } = await cardOf(conversationId);
    (system === "amocrm" ? amo : bitrix).endAccess();
    const desk = openCrmDesk(deps);
    await desk.addNote(twin.tenant, await actOf(twin, conversationId), "Опоздает на час", signal);
    const notes =
      system === "amocrm"
        ? amo.leads.find(({ id }) => String(id) === dealId)!.notes
        : bitrix.comments.filter(({ ENTITY_ID }) => ENTITY_ID === dealId).map(({ COMMENT }) => COMMENT);
    expect(notes.at(-1)).toBe("Опоздает на час");
  });
});

test("a conversation without a deal, and a twin without a CRM, get a sentence; another organisation's act is none", async () => {
  const twin = await connectTwin("amocrm");
  const desk = openCrmDesk(deps);
  await expect(desk.addNote(twin.tenant, await actOf(twin, null), "x", signal)).rejects.toThrow("ещё нет сделки");
  await expect(desk.readDeal(twin.tenant, randomUUID(), { deal: "1" }, signal)).rejects.toThrow("не выбрана CRM");
  const other = await connectTwin("amocrm");
  const conversationId = await answerConversation(other);
  await sync(other);
  const foreign = await actOf(other, conversationId);
  await expect(desk.addNote(twin.tenant, foreign, "x", signal)).rejects.toThrow("ещё нет сделки");
});
