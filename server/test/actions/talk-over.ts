/** A contact's conversation with a twin over one channel; what the twin sends counts as delivered at once. */
import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { expect } from "vitest";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import type { TestApp, TestClient } from "../test-app.ts";

type Sent = typeof outbox.$inferSelect;

export interface TalkOver {
  /** The contact writes. @returns what the twin has written to it */
  say(text: string, more?: Partial<Pick<Inbound, "sender">>): Promise<Sent>;
  /** The contact writes several messages, which are answered together. @returns all that the twin has written to them */
  hear(texts: readonly string[], more?: Partial<Pick<Inbound, "sender">>): Promise<Sent[]>;
  /** Everything that was written to the contact, oldest first. */
  sent(): Promise<Sent[]>;
  conversationId(): Promise<string>;
}

interface Place {
  twinId: string;
  platform: "telegram" | "whatsapp";
  autonomy?: Autonomy;
  name?: string | undefined;
  peerId?: string;
}

const FIELDS = { telegram: {}, whatsapp: { phoneNumber: "8 (999) 000-00-77" } };

export async function talkOver(
  t: TestApp,
  client: TestClient,
  { twinId, platform, autonomy = "auto", name = "Иван Петров", peerId = randomUUID() }: Place,
): Promise<TalkOver> {
  const apiKey = platform === "telegram" ? `123456:${randomUUID()}` : `EAA-${randomUUID()}`;
  const fields = { digitalTwinId: twinId, platform, apiKey, ...FIELDS[platform] };
  const made = await client.post("/api/integrations/create", fields);
  expect(made.statusCode, made.body).toBeLessThan(300);
  const { organizationId, userId } = client.caller;
  const integration = { id: made.json().id as string, organizationId, userId };
  const within = <T>(work: Parameters<typeof asTenant<T>>[2]) => asTenant(t.services.db, client.caller, work);
  await within((tx) => tx.update(integrations).set({ autonomy }).where(eq(integrations.id, integration.id)));
  let position = 0;
  const key = `talk ${peerId}`;

  const all = () =>
    within((tx) =>
      tx
        .select()
        .from(outbox)
        .where(eq(outbox.integrationId, integration.id))
        .orderBy(asc(outbox.createdAt), asc(outbox.id)),
    );

  async function deliver(): Promise<void> {
    for (const row of await all()) {
      if (row.state !== "pending") continue;
      await within(async (tx) => {
        await tx.update(outbox).set({ state: "sent", sentAt: new Date() }).where(eq(outbox.id, row.id));
        const { orgId, conversationId, text: content, secrecy, citations, author } = row;
        const line = { orgId, conversationId, role: "assistant" as const, content, secrecy, author };
        await tx.insert(conversationMessages).values({ ...line, citations: citations as never });
      });
    }
  }

  const hear: TalkOver["hear"] = async (texts, more = {}) => {
    await deliver();
    const before = new Set((await all()).map(({ id }) => id));
    for (const text of texts) {
      position++;
      await storeInbound(t.services, integration, {
        ...{ eventId: `${position}`, conversation: key, position, text, attachments: [], automated: false },
        ...{ peer: { id: peerId, name }, sentAt: new Date().toISOString() },
        ...more,
      });
    }
    const job = { organizationId, userId, integrationId: integration.id, conversationKey: key };
    await processInbox(t.services, job, new AbortController().signal, { begins: () => {}, delta: () => {} });
    return (await all()).filter(({ id, text }) => !before.has(id) && text !== "");
  };

  return {
    hear,
    async say(text, more) {
      const written = await hear([text], more);
      expect(written).toHaveLength(1);
      return written[0]!;
    },
    sent: all,
    async conversationId() {
      const [row] = await within((tx) =>
        tx
          .select({ id: conversations.id })
          .from(conversations)
          .where(and(eq(conversations.integrationId, integration.id), eq(conversations.externalId, key))),
      );
      return row!.id;
    },
  };
}
