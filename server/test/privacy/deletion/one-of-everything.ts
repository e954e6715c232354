/** A row in each tenant's table that a twin's owner fills only in time: what makeThings leaves empty. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { newZipName } from "#server/operations/records/export/export-rows.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { notificationSettings, subscriptions } from "#server/platform/db/schema/accounts.ts";
import { blindTests, fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import {
  channelState,
  integrationEvents,
  integrations,
  ownerChats,
  setAsideEvents,
  telegramLogins,
} from "#server/platform/db/schema/channels.ts";
import { inboxEvents, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { twinExamAnswers, twinExams } from "#server/platform/db/schema/exams.ts";
import { chunks, contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { mediaReaders, organizationModels, remoteModels } from "#server/platform/db/schema/models.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import {
  apiKeyUsage,
  crmCards,
  crmSignIns,
  crmTwins,
  widgetAddresses,
  widgets,
} from "#server/platform/db/schema/programs.ts";
import {
  declinedReplies,
  embeddings,
  openReplies,
  replyProposals,
  styleSamples,
} from "#server/platform/db/schema/public-replies.ts";
import { toolConnections, toolTables } from "#server/platform/db/schema/tools.ts";
import { dailyUsage, modelBudgets, twinStops } from "#server/platform/db/schema/twins.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { ENDPOINT_CASES } from "../../endpoints/endpoint-cases.ts";
import { send } from "../../endpoints/send-case.ts";
import type { Things } from "../../endpoints/things.ts";
import type { TestApp, TestClient } from "../../test-app.ts";

export async function fillTheRest(t: TestApp, owner: TestClient, things: Things): Promise<void> {
  const { organizationId: orgId, userId } = owner.caller;
  const { twinId, integrationId, keyId } = things;
  const place = { orgId, twinId };
  await asTenant(t.services.db, owner.caller, async (tx) => {
    const [chunk] = await tx.select().from(chunks).where(eq(chunks.twinId, twinId)).limit(1);
    const [pair] = await tx.select().from(replyExamples).where(eq(replyExamples.twinId, twinId)).limit(1);
    const [contact] = await tx.select().from(contacts).where(eq(contacts.twinId, twinId)).limit(1);
    if (chunk === undefined || pair === undefined || contact === undefined) throw new Error("The twin knows nothing");
    const bytes = Buffer.from([1, 2, 3]);
    await tx
      .insert(embeddings)
      .values({ ...place, chunkId: chunk.id, model: "m", contentHash: bytes, codes: bytes, signs: bytes });
    const [measure] = await tx
      .insert(fidelityMeasures)
      .values({ ...place, revision: 1, own: 1, held: 1, people: 1, durationMs: 1, lacking: "own" })
      .returning({ id: fidelityMeasures.id });
    await tx
      .insert(fidelityExamples)
      .values({ orgId, measureId: measure!.id, replyExampleId: pair.id, reply: "Завтра", logit: 1 });
    const [exam] = await tx
      .insert(twinExams)
      .values({ ...place, chunks: 1, letters: 1 })
      .returning({ id: twinExams.id });
    await tx.insert(twinExamAnswers).values({
      ...{
        orgId,
        examId: exam!.id,
        place: 0,
        question: "Когда?",
        reply: "Завтра",
        reason: "Так отвечали",
        secrecy: "contact",
      },
      ...{ contactId: contact.id, replyExampleId: pair.id, documentId: chunk.documentId },
    });
    await tx.insert(blindTests).values({ ...place, id: randomUUID(), userId, right: 1, total: 2 });
    await tx.insert(channelState).values({ orgId, integrationId, key: "auth", value: bytes });
    await tx.insert(telegramLogins).values({ ...place, userId, state: bytes });
    await tx.insert(toolConnections).values({
      ...{ ...place, kind: "mcp", title: "Склад", url: "https://127.0.0.1:9/mcp", auth: { kind: "none" } },
      ...{ secrets: bytes, listing: { server: "Склад 1.0", offers: [] } },
    });
    await tx.insert(toolTables).values({
      ...{ ...place, toolId: things.toolId, name: "Заказы", url: "https://127.0.0.1:9/orders.csv" },
      ...{ columns: ["Номер"], rows: '[["1"]]', rowCount: 1, contentHash: "" },
    });
    const connectionId = things.crmId;
    await tx
      .insert(crmTwins)
      .values({ ...place, connectionId, includeTexts: false })
      .onConflictDoNothing();
    await tx.insert(crmCards).values({ ...place, connectionId, conversationId: things.talkId });
    await tx.insert(crmSignIns).values({
      ...{ orgId, userId, stateHash: randomUUID(), system: "bitrix24", host: "company.bitrix24.ru", app: bytes },
      expiresAt: new Date(Date.now() + 1e6),
    });
    await tx.insert(inboxEvents).values({
      ...{ orgId, integrationId, eventId: "1", conversationKey: "1", position: 1, status: "ignored" },
      inbound: { text: "Привет" },
    });
    await tx
      .insert(openReplies)
      .values({ ...place, origin: "recurring", question: "Когда?", reply: "Завтра", people: 3 });
    await tx
      .insert(styleSamples)
      .values({ ...place, origin: "common", text: "Да, конечно", replyExampleId: pair.id })
      .onConflictDoNothing();
    await tx.insert(declinedReplies).values({ ...place, contentHash: bytes });
    await tx
      .insert(replyProposals)
      .values({ ...place, replyExampleId: pair.id, reason: "said", people: 2 })
      .onConflictDoNothing();
    await tx.insert(setAsideEvents).values({ orgId, integrationId, name: "1", title: "Письмо", reason: "…" });
    await tx.insert(integrationEvents).values({ orgId, integrationId, text: "Иван: письмо не разобрано" });
    const [chat] = await tx
      .insert(ownerChats)
      .values({ orgId, integrationId, userId, chatId: randomUUID(), name: "Анна" })
      .returning({ id: ownerChats.id });
    await tx
      .insert(notificationSettings)
      .values({ orgId, userId, draftsPush: true, draftsMail: true, troublePush: true, troubleMail: true })
      .onConflictDoNothing();
    await tx.insert(ownerNotices).values({ orgId, ownerChatId: chat!.id, outboxId: things.approvalId });
    await tx
      .insert(replyFeedback)
      .values({ ...place, outboxId: things.approvalId, userId, correction: "Послезавтра", secrecy: "organization" })
      .onConflictDoNothing();
    await tx.insert(apiKeyUsage).values({ orgId, keyId, day: "2026-01-01" }).onConflictDoNothing();
    await tx
      .insert(dailyUsage)
      .values({ ...place, day: "2026-01-01" })
      .onConflictDoNothing();
    const storedName = newZipName();
    await mkdir(join(t.services.config.dataDir, "uploads"), { recursive: true });
    await writeFile(storedPath(t.services.config.dataDir, storedName), "zip");
    await tx
      .insert(dataExports)
      .values({ orgId, userId, scope: "account", state: "ready", storedName, keptUntil: new Date(Date.now() + 1e8) });
    await tx.insert(modelBudgets).values({ orgId, dailyTokens: 1000 }).onConflictDoNothing();
    const { modelId } = things;
    await tx.insert(organizationModels).values({ orgId, modelId, setBy: userId }).onConflictDoNothing();
    await tx
      .insert(remoteModels)
      .values({
        ...{ orgId, revision: randomUUID(), preset: "compatible", baseUrl: "https://models.example/v1", model: "m" },
        ...{ authUrl: "https://models.example/token", scope: "GIGACHAT_API_PERS", apiKey: bytes },
        ...{ currency: "RUB", enabled: false, setBy: userId },
      })
      .onConflictDoNothing();
    await tx
      .insert(mediaReaders)
      .values({
        ...{ orgId, kind: "speech", mode: "endpoint", preset: "openai", baseUrl: "https://speech.example/v1" },
        ...{ model: "m", apiKey: bytes, dailyLimit: 60, setBy: userId },
      })
      .onConflictDoNothing();
    await tx.insert(twinStops).values({ orgId, stoppedBy: userId }).onConflictDoNothing();
    await tx.insert(subscriptions).values({ orgId, planId: things.planId }).onConflictDoNothing();
    // A listener would try to reach the platform.
    await tx.update(integrations).set({ status: "inactive" }).where(eq(integrations.twinId, twinId));
  });
  for (const key of ["PUT /api/digital-twins/:id/widget", "PUT /api/digital-twins/:id"]) {
    const answer = await send(owner, ENDPOINT_CASES[key]!, key, things);
    if (answer.statusCode >= 300) throw new Error(answer.body);
  }
  await asTenant(t.services.db, owner.caller, async (tx) => {
    const [widget] = await tx.select().from(widgets).where(eq(widgets.twinId, twinId));
    const day = { addressHash: randomUUID(), day: "2026-01-01", messages: 1, hour: 1, hourMessages: 1 };
    await tx.insert(widgetAddresses).values({ orgId, widgetId: widget!.id, ...day });
  });
  const kept = await owner.inject({
    method: "POST",
    url: `/api/conversations/${things.talkId}/notes`,
    headers: { "idempotency-key": randomUUID() },
    payload: { text: "Перезвонить" },
  });
  if (kept.statusCode >= 300) throw new Error(kept.body);
}
