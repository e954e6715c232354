import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import type { TestApp, TestClient } from "../test-app.ts";

interface Heard {
  twinId: string;
  autonomy: Autonomy;
  text: string;
}

/**
 * A contact writes to the twin over a new Telegram bot, and the twin answers.
 * @returns the first answer, all answers, and what was shown while it was written
 */
export async function hearMessage(t: TestApp, client: TestClient, { twinId, autonomy, text }: Heard) {
  const apiKey = `123456:${randomUUID()}`;
  const made = await client.post("/api/integrations/create", { digitalTwinId: twinId, platform: "telegram", apiKey });
  const { organizationId, userId } = client.caller;
  const integration = { id: made.json().id as string, organizationId, userId };
  const within = <T>(work: Parameters<typeof asTenant<T>>[2]) => asTenant(t.services.db, client.caller, work);
  await within((tx) => tx.update(integrations).set({ autonomy }).where(eq(integrations.id, integration.id)));
  await storeInbound(t.services, integration, {
    ...{ eventId: "1", conversation: "5", position: 1, text, attachments: [], automated: false },
    ...{ peer: { id: "user5", name: "Иван Петров" }, sentAt: new Date().toISOString() },
  });
  const shown: string[] = [];
  const job = { organizationId, userId, integrationId: integration.id, conversationKey: "5" };
  const stream = { begins: () => {}, delta: (part: string) => shown.push(part) };
  await processInbox(t.services, job, new AbortController().signal, stream);
  const all = await within((tx) =>
    tx.select().from(outbox).where(eq(outbox.integrationId, integration.id)).orderBy(outbox.createdAt),
  );
  return { ...all[0]!, shown, all };
}
