/** A voice that may have learnt from deleted messages is no longer used, and its owner is notified. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TwinVoice } from "#contract/models/voice.ts";
import { forgetChats } from "#server/knowledge/forgetting/forget.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages/messages.ts";
import { pairChat } from "#server/knowledge/messages/pair-chats.ts";
import { baseShapes } from "#server/models/adapters/base-shapes.ts";
import { twinVoices } from "#server/models/adapters/twin-voices.ts";
import { modelPath } from "#server/models/local/model-rows.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { chooseTinyModel } from "#server/test/models/local-model.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let owner: TestClient;
let twinId: string;
let model: { name: string; path: string };
beforeAll(async () => {
  t = await testApp();
  await t.services.jobs.stop(2000);
  const { name, storedName } = await chooseTinyModel(t);
  model = { name, path: modelPath(t.services.config.dataDir, storedName) };
});
afterAll(() => t.close());
beforeEach(async () => {
  owner = await t.signUp();
  twinId = (await owner.post("/api/digital-twins", TWIN)).json().id;
});

/** Creates a chat of three exchanges, or of unanswered messages. */
async function chatWith(name: string, answered = true): Promise<{ contactId: number; chatId: number }> {
  const tenant = owner.caller;
  return asTenant(t.services.db, tenant, async (tx) => {
    const kind = { kind: "export", platform: "telegram", externalId: "1", name: "Выгрузка" } as const;
    const place = { twinId, sourceId: await ensureSource(tx, tenant, twinId, kind), platform: "telegram" };
    const who = { externalId: name, name };
    const contactId = (await ensureContacts(tx, tenant, place, [who])).get(name)!;
    const chatId = await ensureChat(tx, tenant, place, { ...who, kind: "private" });
    const lines = Array.from({ length: 3 }, (_, at) => {
      const sentAt = Date.UTC(2025, 0, 1 + at);
      const line = { chatId, replyTo: null, kind: "text" as const };
      return [
        {
          ...line,
          contactId,
          fromOwner: false,
          externalId: `${at}?`,
          text: `как дела ${at}?`,
          sentAt: new Date(sentAt),
        },
        {
          ...{ ...line, contactId: null, fromOwner: true, externalId: `${at}!`, text: `норм ${at}` },
          sentAt: new Date(sentAt + 30_000),
        },
      ].filter(({ fromOwner }) => answered || !fromOwner);
    }).flat();
    await storeMessages(tx, tenant, place, lines);
    await pairChat(tx, tenant, { twinId, chatId });
    return { contactId, chatId };
  });
}

/** Creates an active voice and an unfinished upload. @returns the first one's id */
async function voices(createdAt = new Date()): Promise<string> {
  const { organizationId: orgId, userId } = owner.caller;
  const { fingerprint: baseShape } = (await baseShapes(model.path))!;
  const voice = (version: number | null) => ({
    ...{ orgId, twinId, userId, fileName: "v", bytes: 1, baseName: model.name, baseShape, rank: 4, createdAt, version },
    ...{ storedName: `voice-${randomUUID()}`, active: version !== null },
  });
  const [row] = await asTenant(t.services.db, owner.caller, (tx) =>
    tx
      .insert(voiceAdapters)
      .values([voice(1), voice(null)])
      .returning({ id: voiceAdapters.id }),
  );
  return row!.id;
}

const path = () => `/api/digital-twins/${twinId}/voice`;
const look = async () => (await owner.get(path())).json<TwinVoice>();
const heard = () => twinVoices(t.services).of({ ...owner.caller, twinId }, model);
const forget = (contactId: number) =>
  asTenant(t.services.db, owner.caller, (tx) =>
    forgetContact(tx, t.services.jobs, { ...owner.caller, sessionId: "" }, contactId),
  );

test("deleting a contact switches off permanently the voice that learnt from the contact's letters, and drops uploads in progress", async () => {
  const { contactId } = await chatWith("Олег");
  await chatWith("Анна");
  const voiceId = await voices();
  expect(await heard()).toMatchObject({ id: voiceId });
  await forget(contactId);
  expect(await look()).toMatchObject({
    voices: [{ id: voiceId, active: false, forgottenAt: expect.any(String), fits: true }],
    upload: null,
  });
  const on = await owner.put(`${path()}/${voiceId}`, { active: true });
  expect(on.json()).toMatchObject({ code: "voice_of_deleted_letters", message: expect.stringContaining("удалили") });
  expect((await owner.post(`${path()}/measure`, { voiceId })).statusCode).toBe(409);
  // This holds even if a caller names the voice, or its row says that it is active.
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(voiceAdapters).set({ active: true }).where(eq(voiceAdapters.id, voiceId)),
  );
  expect(await heard()).toBeNull();
  expect(await twinVoices(t.services).of({ ...owner.caller, twinId }, model, voiceId)).toBeNull();
  expect((await owner.delete(`${path()}/${voiceId}`)).statusCode).toBe(204);
});

test("the same holds for a chat that the owner removes", async () => {
  const { chatId } = await chatWith("Олег");
  const voiceId = await voices();
  const place = { jobs: t.services.jobs, tenant: owner.caller, twinId };
  await asTenant(t.services.db, owner.caller, (tx) => forgetChats({ ...place, tx }, [chatId]));
  expect((await look()).voices).toMatchObject([{ id: voiceId, active: false, forgottenAt: expect.any(String) }]);
});

test("whom the owner has never answered, and letters that came after it, a voice has not learnt from", async () => {
  const silent = await chatWith("Немой", false);
  const voiceId = await voices();
  await forget(silent.contactId);
  expect(await heard()).toMatchObject({ id: voiceId });
  const { contactId } = await chatWith("Олег");
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(voiceAdapters).set({ createdAt: new Date("2024-05-01") }),
  );
  await forget(contactId);
  expect((await look()).voices).toMatchObject([{ active: true, forgottenAt: null }]);
});
