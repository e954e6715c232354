/** A member acts on one or several conversations: snoozes, labels, closes, resumes. */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ActResult, ConversationAct, SnoozeTimes } from "#contract/conversations/acts.ts";
import type { Conversation, Label } from "#contract/conversations/conversations.ts";
import { type CountedLabel, LABELS_LIMIT } from "#contract/conversations/labels.ts";
import { SAVED_REPLIES_LIMIT, type SavedReply } from "#contract/conversations/saved-replies.ts";
import { wakeConversation } from "#server/inbox/conversations/snooze.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationLabels, conversations, labels, savedReplies } from "#server/platform/db/schema/conversations.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { writeIncoming } from "./contact-conversation.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

interface Place {
  ann: TestClient;
  twinId: string;
}

async function withTwin(): Promise<Place> {
  const ann = await t.signUp();
  return { ann, twinId: await buildTwin(ann) };
}

function talkIn({ ann, twinId }: Place, name = "Иван"): Promise<string> {
  const place = { orgId: ann.caller.organizationId, twinId };
  return asTenant(t.services.db, ann.caller, async (tx) => {
    const { id: contactId } = await buildContact(tx, place, { name });
    return (await buildConversation(tx, place, { contactId, participantName: name })).id;
  });
}

async function act(client: TestClient, ids: readonly string[], what: ConversationAct): Promise<ActResult[]> {
  const answer = await client.post("/api/conversations/acts", { ids: [...ids], act: what });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const listed = async (client: TestClient, query = ""): Promise<Conversation[]> =>
  (await client.get(`/api/conversations${query}`)).json();
const idsIn = async (client: TestClient, query = "") => (await listed(client, query)).map(({ id }) => id);
const newLabel = async (client: TestClient, name: string): Promise<Label> =>
  (await client.post("/api/labels", { name })).json();

/** Makes the snooze time of a conversation pass. */
const isDue = ({ ann }: Place, id: string, ago = 1000) =>
  asTenant(t.services.db, ann.caller, (tx) =>
    tx
      .update(conversations)
      .set({ snoozedUntil: new Date(Date.now() - ago) })
      .where(eq(conversations.id, id)),
  );

describe("a conversation that is put off", () => {
  test("leaves the lists and stands under its filter, until it is taken back", async () => {
    const place = await withTwin();
    const { ann } = place;
    const [ivan, maria] = [await talkIn(place, "Иван"), await talkIn(place, "Мария")];
    const until = tomorrow();
    await act(ann, [ivan], { kind: "snooze", until });
    expect(await idsIn(ann)).toEqual([maria]);
    expect(await idsIn(ann, "?status=active")).toEqual([maria]);
    expect(await listed(ann, "?snoozed=1")).toMatchObject([{ id: ivan, snoozedUntil: until }]);
    expect((await ann.get(`/api/conversations/${ivan}`)).json()).toMatchObject({ snoozedUntil: until });
    // Opening a conversation does not end its snooze.
    await ann.post(`/api/conversations/${ivan}/read`);
    expect(await idsIn(ann)).toEqual([maria]);
    await act(ann, [ivan], { kind: "return" });
    expect((await idsIn(ann)).sort()).toEqual([ivan, maria].sort());
    expect(await idsIn(ann, "?snoozed=1")).toEqual([]);
  });

  test("comes back by its time alone, above all others and once, until somebody opens it; then it has its old place", async () => {
    const place = await withTwin();
    const { ann } = place;
    const old = await talkIn(place, "Давний");
    const newer = await talkIn(place, "Новый");
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx
        .update(conversations)
        .set({ updatedAt: new Date("2025-01-01") })
        .where(eq(conversations.id, old)),
    );
    expect(await idsIn(ann)).toEqual([newer, old]);
    await act(ann, [old], { kind: "snooze", until: tomorrow() });
    expect(await idsIn(ann)).toEqual([newer]);
    // The sweep has not run in between, as after a restart.
    await isDue(place, old);
    expect(await idsIn(ann)).toEqual([old, newer]);
    expect(await idsIn(ann, "?snoozed=1")).toEqual([]);
    await ann.post(`/api/conversations/${old}/read`);
    expect(await listed(ann)).toMatchObject([{ id: newer }, { id: old, snoozedUntil: null }]);
  });

  test("is back at once when the contact writes", async () => {
    const place = await withTwin();
    const { ann } = place;
    const id = await talkIn(place);
    await act(ann, [id], { kind: "snooze", until: tomorrow() });
    const inbound = {
      ...{ eventId: "1", conversation: "5", position: 1, peer: { id: "5", name: "Иван" }, text: "Вы тут?" },
      ...{ attachments: [], sentAt: new Date().toISOString(), automated: false },
    };
    await asTenant(t.services.db, ann.caller, async (tx) => {
      const [row] = await tx.select().from(conversations).where(eq(conversations.id, id));
      // A message that the owner writes in another client does not end the snooze.
      await writeIncoming(tx, row!, [{ id: 0, inbound: { ...inbound, fromOwner: true } }]);
    });
    expect(await idsIn(ann)).toEqual([]);
    await asTenant(t.services.db, ann.caller, async (tx) => {
      const [row] = await tx.select().from(conversations).where(eq(conversations.id, id));
      await writeIncoming(tx, row!, [{ id: 0, inbound }]);
    });
    expect(await listed(ann)).toMatchObject([{ id, snoozedUntil: null, unread: 1 }]);
  });

  test("is announced to open windows when it is due, and not before", async () => {
    const place = await withTwin();
    const { ann } = place;
    const id = await talkIn(place);
    const written = async () => {
      const { rows } = await t.services.db.execute(sql`select xmin::text as by from conversations where id = ${id}`);
      return (rows[0] as { by: string }).by;
    };
    const { organizationId, userId } = ann.caller;
    const wake = () => wakeConversation(t.services, { organizationId, userId, conversationId: id, at: 0 });
    await act(ann, [id], { kind: "snooze", until: tomorrow() });
    const { rows } = await t.services.db.execute(
      sql`select start_after::text as due from jobs.job where name = 'wake-conversation' and data->>'conversationId' = ${id}`,
    );
    expect(rows).toHaveLength(1);
    const before = await written();
    await wake();
    expect(await written()).toBe(before);
    await isDue(place, id);
    const due = await written();
    await wake();
    expect(await written()).not.toBe(due);
  });

  test("has its times by the organisation's clock, that of its working hours, else Moscow's", async () => {
    const { ann, twinId } = await withTwin();
    const times = async (): Promise<SnoozeTimes> => (await ann.get("/api/conversations/snooze-times")).json();
    expect((await times()).timeZone).toBe("Europe/Moscow");
    const bot = { digitalTwinId: twinId, platform: "telegram", apiKey: `7:${randomUUID()}` };
    const integrationId: string = (await ann.post("/api/integrations/create", bot)).json().id;
    const slots = [{ day: 1, from: "09:00", to: "18:00" }];
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx
        .update(integrations)
        .set({ workingHours: { timeZone: "Asia/Vladivostok", slots, outside: "draft", awayText: "" } })
        .where(eq(integrations.id, integrationId)),
    );
    expect((await times()).timeZone).toBe("Asia/Vladivostok");
    const id = await talkIn({ ann, twinId });
    const year = new Date().getUTCFullYear() + (new Date().getUTCMonth() === 11 ? 1 : 0);
    const month = String(((new Date().getUTCMonth() + 1) % 12) + 1).padStart(2, "0");
    await act(ann, [id], { kind: "snooze", until: `${year}-${month}-10T09:00` });
    const [row] = await listed(ann, "?snoozed=1");
    expect(row!.snoozedUntil).toBe(new Date(Date.UTC(year, Number(month) - 1, 9, 23)).toISOString());
  });

  test.each([
    ["yesterday", 422, () => new Date(Date.now() - 86_400_000).toISOString()],
    ["in two years", 422, () => new Date(Date.now() + 2 * 366 * 86_400_000).toISOString()],
    ["on a day that does not exist", 422, () => `${new Date().getUTCFullYear() + 1}-02-30T09:00`],
    ["«soon»", 400, () => "soon"],
  ])("is not put off until %s", async (_, status, until) => {
    const place = await withTwin();
    const id = await talkIn(place);
    const answer = await place.ann.post("/api/conversations/acts", {
      ids: [id],
      act: { kind: "snooze", until: until() },
    });
    expect(answer.statusCode, answer.body).toBe(status);
    expect(await idsIn(place.ann)).toEqual([id]);
  });
});

describe("several at once", () => {
  test("one that is refused is named with its reason, and the others are done", async () => {
    const place = await withTwin();
    const { organizationId } = place.ann.caller;
    const bob = await t.signUp({ role: "user", organizationId });
    const bobs = await talkIn({ ann: bob, twinId: await buildTwin(bob) });
    const anns = await talkIn(place);
    const elsewhere = await talkIn(await withTwin());
    const results = await act(bob, [bobs, anns, elsewhere, bobs], { kind: "close" });
    expect(results).toEqual([
      { id: bobs, problem: null },
      { id: anns, problem: { code: "forbidden", message: expect.stringMatching(/[а-я]/) } },
      { id: elsewhere, problem: { code: "conversation_not_found", message: "Диалог не найден" } },
    ]);
    expect(await idsIn(bob, "?status=closed")).toEqual([bobs]);
    await act(bob, [bobs], { kind: "reopen" });
    expect(await idsIn(bob, "?status=closed")).toEqual([]);
  });

  test("of another organisation none is touched, and the only one is a refusal of the call", async () => {
    const place = await withTwin();
    const id = await talkIn(place);
    const stranger = await t.signUp();
    for (const what of [
      { kind: "close" },
      { kind: "snooze", until: tomorrow() },
      { kind: "hand-back" },
      { kind: "label", labelId: (await newLabel(stranger, "Моя")).id },
    ] as const) {
      const refused = await stranger.post("/api/conversations/acts", { ids: [id], act: what });
      expect(refused.statusCode).toBe(404);
      expect(refused.json()).toMatchObject({ code: "conversation_not_found" });
    }
    expect(await listed(place.ann)).toMatchObject([{ id, participants: { status: "active" }, labels: [] }]);
  });

  test("are given back to the twin, and never more than fifty in a call", async () => {
    const place = await withTwin();
    const [first, second] = [await talkIn(place, "Иван"), await talkIn(place, "Мария")];
    for (const id of [first, second]) await place.ann.post(`/api/conversations/${id}/pause`);
    expect(await idsIn(place.ann, "?lead=me")).toHaveLength(2);
    await act(place.ann, [first, second], { kind: "hand-back" });
    expect(await idsIn(place.ann, "?lead=me")).toEqual([]);
    for (const ids of [[], Array.from({ length: 51 }, () => randomUUID())]) {
      expect((await place.ann.post("/api/conversations/acts", { ids, act: { kind: "close" } })).statusCode).toBe(400);
    }
    // Approving several drafts in one act is impossible, because the owner must read what is sent.
    expect(
      (await place.ann.post("/api/conversations/acts", { ids: [first], act: { kind: "approve" } })).statusCode,
    ).toBe(400);
  });
});

describe("labels", () => {
  test("are made once for each word, found by, counted, and gone from all conversations with their removal", async () => {
    const place = await withTwin();
    const { ann } = place;
    const [ivan, maria] = [await talkIn(place, "Иван"), await talkIn(place, "Мария")];
    const wholesale = await newLabel(ann, "  Опт   и розница ");
    expect(wholesale.name).toBe("Опт и розница");
    expect(await newLabel(ann, "опт И розница")).toEqual(wholesale);
    const urgent = await newLabel(ann, "Горит");
    await act(ann, [ivan, maria], { kind: "label", labelId: wholesale.id });
    await act(ann, [ivan, ivan], { kind: "label", labelId: urgent.id });
    expect((await listed(ann)).find(({ id }) => id === ivan)!.labels).toEqual([urgent, wholesale]);
    expect(await idsIn(ann, `?label=${urgent.id}`)).toEqual([ivan]);
    expect((await ann.get("/api/labels")).json<CountedLabel[]>()).toEqual([
      { ...urgent, conversations: 1 },
      { ...wholesale, conversations: 2 },
    ]);
    await act(ann, [maria], { kind: "unlabel", labelId: wholesale.id });
    expect(await idsIn(ann, `?label=${wholesale.id}`)).toEqual([ivan]);
    expect((await ann.delete(`/api/labels/${wholesale.id}`)).statusCode).toBe(204);
    expect((await listed(ann)).find(({ id }) => id === ivan)!.labels).toEqual([urgent]);
    expect((await ann.delete(`/api/labels/${wholesale.id}`)).statusCode).toBe(404);
  });

  test("are no more than fifty, and nobody puts another organisation's on a conversation", async () => {
    const place = await withTwin();
    const { ann } = place;
    const { organizationId: orgId } = ann.caller;
    const id = await talkIn(place);
    const strange = await newLabel(await t.signUp(), "Чужая");
    const refused = await ann.post("/api/conversations/acts", {
      ids: [id],
      act: { kind: "label", labelId: strange.id },
    });
    expect(refused.json()).toMatchObject({ code: "label_not_found" });
    const many = Array.from({ length: LABELS_LIMIT }, (_, place) => ({ orgId, name: `Метка ${place}` }));
    await asTenant(t.services.db, ann.caller, (tx) => tx.insert(labels).values(many));
    const full = await ann.post("/api/labels", { name: "Ещё одна" });
    expect([full.statusCode, full.json().code]).toEqual([409, "too_many_labels"]);
    expect((await ann.post("/api/labels", { name: "метка 7" })).statusCode).toBe(201);
  });

  test("only an administrator takes one away from all", async () => {
    const { ann } = await withTwin();
    const label = await newLabel(ann, "Опт");
    const bob = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
    expect((await bob.delete(`/api/labels/${label.id}`)).statusCode).toBe(403);
    expect((await bob.get("/api/labels")).json<CountedLabel[]>()).toHaveLength(1);
  });

  test("of a contact who is forgotten are forgotten, those of others stay", async () => {
    const place = await withTwin();
    const { ann } = place;
    const [ivan, maria] = [await talkIn(place, "Иван"), await talkIn(place, "Мария")];
    const label = await newLabel(ann, "Опт");
    await act(ann, [ivan, maria], { kind: "label", labelId: label.id });
    await act(ann, [ivan], { kind: "snooze", until: tomorrow() });
    expect((await ann.delete(`/api/conversations/${ivan}/contact`)).statusCode).toBe(204);
    const rows = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(conversationLabels));
    expect(rows.map(({ conversationId }) => conversationId)).toEqual([maria]);
    const { rows: jobs } = await t.services.db.execute(
      sql`select id from jobs.job where data->>'conversationId' = ${ivan}`,
    );
    expect(jobs).toEqual([]);
  });
});

describe("saved replies", () => {
  const input = { title: "Доставка", text: "{имя}, доставим завтра" };

  test("are kept, changed and removed for the whole organisation, and exist for no other", async () => {
    const ann = await t.signUp();
    const made = (await ann.post("/api/saved-replies", input)).json<SavedReply>();
    expect(made).toEqual({ id: expect.any(String), ...input });
    const bob = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
    expect((await bob.get("/api/saved-replies")).json()).toEqual([made]);
    const changed = { title: "Доставка сегодня", text: "Доставим сегодня" };
    expect((await bob.put(`/api/saved-replies/${made.id}`, changed)).json()).toEqual({ id: made.id, ...changed });
    const stranger = await t.signUp();
    expect((await stranger.get("/api/saved-replies")).json()).toEqual([]);
    expect((await stranger.put(`/api/saved-replies/${made.id}`, changed)).statusCode).toBe(404);
    expect((await stranger.delete(`/api/saved-replies/${made.id}`)).statusCode).toBe(404);
    expect((await ann.delete(`/api/saved-replies/${made.id}`)).statusCode).toBe(204);
    expect((await bob.get("/api/saved-replies")).json()).toEqual([]);
  });

  test("have a title, a text, limits, and are no more than a hundred", async () => {
    const ann = await t.signUp();
    for (const wrong of [
      { ...input, title: "  " },
      { ...input, text: "" },
      { ...input, title: "я".repeat(81) },
      { ...input, text: "я".repeat(4001) },
    ]) {
      expect((await ann.post("/api/saved-replies", wrong)).statusCode).toBe(400);
    }
    const { organizationId: orgId } = ann.caller;
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.insert(savedReplies).values(Array.from({ length: SAVED_REPLIES_LIMIT }, () => ({ orgId, ...input }))),
    );
    const full = await ann.post("/api/saved-replies", input);
    expect([full.statusCode, full.json().code]).toEqual([409, "too_many_saved_replies"]);
  });
});
