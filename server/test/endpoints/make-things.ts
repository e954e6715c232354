import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import type { SourceContents } from "#contract/knowledge/knowledge-base.ts";
import { createSession, hashToken } from "#server/accounts/auth/sessions.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { sealTokens } from "#server/inbox/crm/tokens.ts";
import { findFacts } from "#server/knowledge/facts/find-facts.ts";
import { newOriginalName } from "#server/models/media/remains.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { passkeys, payments, pushDevices, sessions } from "#server/platform/db/schema/accounts.ts";
import { businessConnections, setAsideEvents } from "#server/platform/db/schema/channels.ts";
import {
  conversationMessages,
  conversationNotes,
  gapQuestions,
  gaps,
  labels,
  outbox,
  savedReplies,
} from "#server/platform/db/schema/conversations.ts";
import { contactFacts, documents, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { localModels, mediaReaders } from "#server/platform/db/schema/models.ts";
import { crmConnections } from "#server/platform/db/schema/programs.ts";
import { factProposals, openReplies, replyProposals, styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { acts, toolConnections } from "#server/platform/db/schema/tools.ts";
import { buildContact, buildConversation } from "../factories/build-rows.ts";
import { storeLetters } from "../factories/stored-letters.ts";
import { silentWav } from "../files/recordings.ts";
import type { TestApp, TestClient } from "../test-app.ts";
import { ENDPOINT_CASES } from "./endpoint-cases.ts";
import { send } from "./send-case.ts";
import type { Things } from "./things.ts";

const PLAN = "business";

/** Makes one of everything through the calls that users make. */
export async function makeThings(t: TestApp, client: TestClient): Promise<Things> {
  const made = async (key: string, things: Partial<Things> = {}) => {
    const answer = await send(client, ENDPOINT_CASES[key]!, key, things as Things);
    if (answer.statusCode >= 300) throw new Error(`${key}: ${answer.statusCode} ${answer.body}`);
    return answer.json();
  };
  const twinId: string = (await made("POST /api/digital-twins")).id;
  const { id: documentId, version: documentVersion } = await made("POST /api/knowledge/upload", { twinId });
  const websiteId: string = (await made("POST /api/knowledge/websites", { twinId })).id;
  const importId: string = (await made("POST /api/imports", { twinId })).id;
  const { sourceId } = await made("POST /api/conversations/upload", { twinId });
  const uploadId: string = (await made("POST /api/imports/uploads", { twinId })).id;
  const contents = (await client.get(`/api/knowledge-base/sources/${sourceId}/contents`)).json<SourceContents>();
  await t.jobsIdle();
  const { conversationId, messageId } = await made("POST /api/ai-generate", { twinId });
  const correctionId: string = (await made("POST /api/digital-twins/:id/corrections", { twinId, messageId })).id;
  const [{ id: versionId }] = (await client.get(`/api/digital-twins/${twinId}/versions`)).json();
  const replies = await ownerAnswers(t, client, twinId);
  const integrationId: string = (await made("POST /api/integrations/create", { twinId })).id;
  const keyId: string = (await made("POST /api/digital-twins/:id/keys", { twinId })).key.id;
  const webhookId: string = (await made("POST /api/digital-twins/:id/webhooks", { twinId })).webhook.id;
  const crmId = await hasCrm(t, client);
  const talk = await contactWrites(t, client, { twinId, integrationId });
  const mediaId = await hasRecording(t, client, talk.gapMessageId);
  const { originalId, pictureDocumentId } = await hasReadDocument(t, client, twinId);
  const importedId = await hasImportedRecording(t, client, twinId);
  const toolId: string = (await made("POST /api/tools", { twinId })).id;
  const connectionId = await lendsChats(t, client, integrationId);
  const setAsideId = await couldNotRead(t, client, integrationId);
  const { organizationId } = client.caller;
  const memberId = (await t.signUp({ role: "user", organizationId })).caller.userId;
  const [invoice] = await asTenant(t.services.db, client.caller, (tx) =>
    tx.insert(payments).values({ orgId: organizationId, planId: PLAN, amount: 4999 }).returning({ id: payments.id }),
  );
  // Without its file: nothing of it can be loaded.
  const [model] = await t.services.db
    .insert(localModels)
    .values({ kind: "embedder", name: "Проба", storedName: `${randomUUID()}-proba`, state: "ready", bytes: 1000 })
    .returning({ id: localModels.id });
  return {
    twinId,
    documentId,
    documentVersion,
    websiteId,
    importId,
    uploadId,
    sourceId,
    chatId: contents.chats[0]!.id,
    personId: contents.people[0]!.id,
    conversationId,
    correctionId,
    versionId,
    ...replies,
    integrationId,
    crmId,
    connectionId,
    setAsideId,
    keyId,
    webhookId,
    deliveryId: (await made("POST /api/digital-twins/:id/webhooks/:webhookId/test", { twinId, webhookId })).id,
    ...talk,
    toolId,
    toolConnectionId: await hasConnection(t, client, twinId),
    ...(await hasActs(t, client, { twinId, toolId, conversationId: talk.talkId })),
    mediaId,
    originalId,
    pictureDocumentId,
    importedId,
    messageId,
    organizationId,
    memberId,
    ...(await signInThings(t, client)),
    paymentId: invoice!.id,
    planId: PLAN,
    modelId: model!.id,
  };
}

async function signInThings({ services: { db } }: TestApp, { caller }: TestClient) {
  const { userId } = caller;
  const [passkey] = await db
    .insert(passkeys)
    .values({ userId, name: "Ноутбук", credentialId: randomUUID(), publicKey: Buffer.alloc(1), counter: 0 })
    .returning();
  const { token } = await createSession(db, { ...caller, bound: false });
  const [session] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)));
  const [device] = await db
    .insert(pushDevices)
    .values({
      ...{ userId, name: "Firefox, Linux", endpoint: `http://127.0.0.1:9/${randomUUID()}` },
      ...{ p256dh: createECDH("prime256v1").generateKeys(), auth: randomBytes(16) },
    })
    .returning();
  return { passkeyId: passkey!.id, sessionId: session!.id, pushDeviceId: device!.id };
}

/** An MCP server that does not answer. */
async function hasConnection({ services }: TestApp, { caller }: TestClient, twinId: string): Promise<string> {
  const place = { orgId: caller.organizationId, twinId };
  const server = {
    kind: "mcp" as const,
    title: "Склад",
    url: "https://127.0.0.1:9/mcp",
    auth: { kind: "none" as const },
  };
  const [made] = await asTenant(services.db, caller, (tx) =>
    tx
      .insert(toolConnections)
      .values({ ...place, ...server })
      .returning({ id: toolConnections.id }),
  );
  return made!.id;
}

async function hasActs(
  { services }: TestApp,
  { caller }: TestClient,
  place: { twinId: string; toolId: string; conversationId: string },
): Promise<Pick<Things, "actId" | "unknownActId">> {
  const act = { orgId: caller.organizationId, ...place, title: "Остаток на складе", changes: true };
  const [waiting, unknown] = await asTenant(services.db, caller, (tx) =>
    tx
      .insert(acts)
      .values([
        { ...act, state: "waiting-owner", arguments: [{ name: "item", label: "Номер товара", value: "7" }] },
        { ...act, state: "unknown", arguments: [] },
      ])
      .returning({ id: acts.id }),
  );
  return { actId: waiting!.id, unknownActId: unknown!.id };
}

/** A history: one reply is open to all, one is like another's and proposed, as the training will, and one is neither. */
async function ownerAnswers(t: TestApp, { caller }: TestClient, twinId: string) {
  const place = { orgId: caller.organizationId, twinId };
  const ids = await asTenant(t.services.db, caller, async (tx) => {
    await storeLetters(tx, { ...caller, twinId }, [
      { name: "Олег", incoming: "Где вы находитесь?", reply: "Мы в центре, у парка", audience: "all" },
      { name: "Олег", incoming: "Сколько стоит доставка?", reply: "Цены есть на сайте", audience: "own" },
      { name: "Олег", incoming: "Как вас найти?", reply: "Вход со двора, под аркой", audience: "own" },
      { name: "Мария", incoming: "Где вход?", reply: "Вход со двора, под аркой", audience: "own" },
      { name: "Мария", incoming: "До скольки вы работаете?", reply: "С 10 до 20", audience: "own" },
    ]);
    const [opened] = await tx.select().from(openReplies).where(eq(openReplies.twinId, twinId));
    const pairs = await tx
      .select()
      .from(replyExamples)
      .where(eq(replyExamples.twinId, twinId))
      .orderBy(replyExamples.id);
    const own = pairs.find(({ reply }) => reply === "Цены есть на сайте")!;
    const alike = pairs.findLast(({ reply }) => reply === "Вход со двора, под аркой")!;
    const [proposed] = await tx
      .insert(replyProposals)
      .values({ ...place, replyExampleId: alike.id, reason: "said", people: 2 })
      .returning({ id: replyProposals.id });
    const [sample] = await tx
      .insert(styleSamples)
      .values({ ...place, origin: "written", incoming: "Вы на связи?", text: "Да, конечно" })
      .returning({ id: styleSamples.id });
    const [openReplyId, proposalId, sampleId] = [opened, proposed, sample].map((row) => String(row!.id));
    return { pairId: String(own.id), openReplyId: openReplyId!, proposalId: proposalId!, sampleId: sampleId! };
  });
  await findFacts(t.services, { ...caller, twinId }, new AbortController().signal);
  const [fact] = await asTenant(t.services.db, caller, (tx) =>
    tx.select().from(factProposals).where(eq(factProposals.twinId, twinId)),
  );
  return { ...ids, chatFactId: String(fact!.id) };
}

/** A second of silence, as it lies there after it was fetched. */
async function hasRecording({ services }: TestApp, { caller }: TestClient, messageId: number): Promise<string> {
  const storedName = newOriginalName();
  const bytes = silentWav(1);
  await services.files.write(storedName, Readable.from([bytes]));
  const row = {
    orgId: caller.organizationId,
    messageId,
    place: 0,
    kind: "speech",
    name: "Голосовое сообщение",
  } as const;
  const read = { state: "done", text: "Когда привезёте?", confidence: 0.9, language: "ru", note: "…" } as const;
  const kept = { storedName, storedAt: new Date(), mime: "audio/wav", bytes: bytes.length, seconds: 1 };
  const [made] = await asTenant(services.db, caller, (tx) =>
    tx
      .insert(mediaFiles)
      .values({ ...row, ...read, ...kept, source: { fileId: "1" } })
      .returning({ id: mediaFiles.id }),
  );
  return made!.id;
}

/** A picture that was uploaded as a document, as it lies there after it was read, by whom it would be read again. */
async function hasReadDocument({ services }: TestApp, { caller }: TestClient, twinId: string) {
  const storedName = newOriginalName();
  const bytes = Buffer.from("a picture");
  await services.files.write(storedName, Readable.from([bytes]));
  const orgId = caller.organizationId;
  const [made] = await asTenant(services.db, caller, async (tx) => {
    const about = { orgId, twinId, name: "прайс.png", type: "product", mime: "image/png", status: "unsure" } as const;
    const [document] = await tx
      .insert(documents)
      .values({ ...about, content: "Чехол 1200", contentHash: randomUUID() })
      .returning({ id: documents.id });
    const row = { orgId, documentId: document!.id, place: 0, kind: "picture", name: about.name, source: {} } as const;
    const read = { state: "done", confidence: 0.4, language: "ru", note: "…" } as const;
    const kept = { storedName, storedAt: new Date(), mime: about.mime, bytes: bytes.length };
    // Its day is spent, so that a reading ends at once: this picture is none, and no reader would be tried again for half a minute.
    const spent = { dailyLimit: 30, used: 30, day: usageDay(new Date()) };
    const reader = { orgId, kind: "picture", mode: "local", setBy: caller.userId, ...spent } as const;
    await tx.insert(mediaReaders).values(reader).onConflictDoNothing();
    return tx
      .insert(mediaFiles)
      .values({ ...row, ...read, ...kept })
      .returning({ originalId: mediaFiles.id, documentId: mediaFiles.documentId });
  });
  return { originalId: made!.originalId, pictureDocumentId: made!.documentId! };
}

/** A second of silence with a message of the history, as it lies there after it was read. */
async function hasImportedRecording({ services }: TestApp, { caller }: TestClient, twinId: string): Promise<string> {
  const storedName = newOriginalName();
  const bytes = silentWav(1);
  await services.files.write(storedName, Readable.from([bytes]));
  const orgId = caller.organizationId;
  const [made] = await asTenant(services.db, caller, async (tx) => {
    const [message] = await tx.select({ id: messages.id }).from(messages).where(eq(messages.twinId, twinId)).limit(1);
    const row = {
      orgId,
      importedMessageId: message!.id,
      place: 0,
      kind: "speech",
      name: "Голосовое сообщение",
    } as const;
    const read = { state: "done", text: "Чехол нужен", confidence: 0.4, language: "ru", note: "…" } as const;
    const kept = { storedName, storedAt: new Date(), mime: "audio/wav", bytes: bytes.length, seconds: 1 };
    return tx
      .insert(mediaFiles)
      .values({ ...row, ...read, ...kept, source: { file: 0, name: "1.wav" } })
      .returning({ id: mediaFiles.id });
  });
  return made!.id;
}

async function lendsChats(t: TestApp, { caller }: TestClient, integrationId: string): Promise<string> {
  const row = { orgId: caller.organizationId, integrationId, externalId: randomUUID(), name: "Анна" };
  const [made] = await asTenant(t.services.db, caller, (tx) =>
    tx
      .insert(businessConnections)
      .values({ ...row, canReply: true, enabled: true, order: 1 })
      .returning({ id: businessConnections.id }),
  );
  return made!.id;
}

async function couldNotRead(t: TestApp, { caller }: TestClient, integrationId: string): Promise<string> {
  const from = { id: 7, is_bot: false, first_name: "Иван" };
  const message = { message_id: 7, date: 1, text: "Да", from, chat: { id: 7, type: "private" } };
  const raw = { update_id: 7, message };
  const [made] = await asTenant(t.services.db, caller, (tx) =>
    tx
      .insert(setAsideEvents)
      .values({ orgId: caller.organizationId, integrationId, name: "7", title: "Сообщение", reason: "Нет", raw })
      .returning({ id: setAsideEvents.id }),
  );
  return made!.id;
}

/** As a channel leaves it: a contact has asked, the twin's answer waits for its owner. */
function contactWrites(t: TestApp, { caller }: TestClient, place: { twinId: string; integrationId: string }) {
  const orgId = caller.organizationId;
  const citations = { sources: [], replyExamples: [], confidence: 0.5, basis: "unknown", reason: "…" };
  return asTenant(t.services.db, caller, async (tx) => {
    const { twinId, integrationId } = place;
    const { id: contactId } = await buildContact(tx, { orgId, twinId });
    const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, { integrationId, contactId });
    const [fact] = await tx.insert(contactFacts).values({ orgId, contactId, text: "Ждёт скидку" }).returning();
    const note = { orgId, conversationId, authorId: caller.userId, text: "Перезвонить" };
    const [noted] = await tx.insert(conversationNotes).values(note).returning();
    const [label] = await tx
      .insert(labels)
      .values({ orgId, name: randomUUID().slice(0, 30) })
      .returning();
    const [saved] = await tx.insert(savedReplies).values({ orgId, title: "Да", text: "{имя}, да" }).returning();
    const answer = {
      question: "Когда привезёте?",
      text: "Завтра",
      confidence: 0.5,
      citations,
      secrecy: "organization",
      state: "draft",
    } as const;
    const [waiting] = await tx
      .insert(outbox)
      .values({ orgId, integrationId, conversationId, ...answer })
      .returning({ id: outbox.id });
    const later = { decidedBy: caller.userId, nextAttemptAt: new Date(Date.now() + 3600_000) };
    const [leaving] = await tx
      .insert(outbox)
      .values({ orgId, integrationId, conversationId, ...answer, state: "pending", ...later })
      .returning({ id: outbox.id });
    const gap = await leftUnanswered(tx, { orgId, twinId, conversationId });
    const ids = { ...gap, approvalId: waiting!.id, leavingId: leaving!.id, factId: fact!.id, noteId: noted!.id };
    const kept = { labelId: label!.id, savedReplyId: saved!.id };
    return { talkId: conversationId, ...ids, ...kept };
  });
}

/** Two questions of one gap, in other words each. */
async function leftUnanswered(
  tx: Tx,
  { orgId, twinId, conversationId }: { orgId: string; twinId: string; conversationId: string },
): Promise<{ gapId: string; gapQuestionId: string; gapMessageId: number }> {
  const [gap] = await tx.insert(gaps).values({ orgId, twinId }).returning({ id: gaps.id });
  const asked = ["Вы работаете по ночам?", "Ночью вы открыты?"];
  const lines = await tx
    .insert(conversationMessages)
    .values(
      asked.map((content) => ({
        orgId,
        conversationId,
        role: "user" as const,
        content,
        secrecy: "organization" as const,
      })),
    )
    .returning({ id: conversationMessages.id });
  const rows = asked.map((said, at) => ({
    ...{ orgId, twinId, conversationId, gapId: gap!.id, messageId: lines[at]!.id, said, question: said },
  }));
  const [first] = await tx.insert(gapQuestions).values(rows).returning({ id: gapQuestions.id });
  return { gapId: gap!.id, gapQuestionId: String(first!.id), gapMessageId: lines[0]!.id };
}

/** A signed-in account of amoCRM. */
async function hasCrm(t: TestApp, { caller }: TestClient): Promise<string> {
  const row = { id: randomUUID(), orgId: caller.organizationId };
  const app = { clientId: "id", clientSecret: "secret" };
  const tokens = { accessToken: "a", refreshToken: "r", expiresAt: Date.now() + 24 * 3600_000, app };
  const sealed = sealTokens(t.services.vault, row, tokens);
  const place = { system: "amocrm", host: `${randomUUID()}.amocrm.ru`, connectedBy: caller.userId } as const;
  const [made] = await asTenant(t.services.db, caller, (tx) =>
    tx
      .insert(crmConnections)
      .values({ ...row, ...place, tokens: sealed })
      .returning({ id: crmConnections.id }),
  );
  return made!.id;
}
