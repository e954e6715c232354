/** Pairs of a history, stored as an import would. */
import { randomUUID } from "node:crypto";
import { incrementKnowledgeVersion } from "#server/accounts/twins/training.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { openReplies } from "#server/platform/db/schema/public-replies.ts";
import { buildSource } from "./build-rows.ts";

export interface Letter {
  /** Name of the contact. */
  name: string;
  incoming: string;
  reply: string;
  /** Whether the owner has published it; otherwise only this contact may be answered with it. */
  audience: "all" | "own";
}

/** @returns the contacts' ids by name */
export async function storeLetters(
  tx: Tx,
  { organizationId, twinId }: Tenant & { twinId: string },
  letters: readonly Letter[],
): Promise<Record<string, number>> {
  const place = { orgId: organizationId, twinId };
  const platform = "telegram";
  const sourceId = await buildSource(tx, place);
  const [chat] = await tx
    .insert(chats)
    .values({ ...place, sourceId, platform, externalId: randomUUID(), kind: "private", name: "Чат" })
    .returning({ id: chats.id });
  const ids: Record<string, number> = {};
  const sentAt = new Date("2024-05-01T10:00:00Z");
  for (const { name, incoming, reply, audience } of letters) {
    if (ids[name] === undefined) {
      const person = { ...place, platform, externalId: randomUUID(), name };
      const [contact] = await tx.insert(contacts).values(person).returning({ id: contacts.id });
      ids[name] = contact!.id;
    }
    const contactId = ids[name];
    const line = { ...place, chatId: chat!.id, sentAt };
    await tx
      .insert(messages)
      .values({ ...line, contactId, fromOwner: false, externalId: randomUUID(), text: incoming });
    const [answer] = await tx
      .insert(messages)
      .values({ ...line, contactId: null, fromOwner: true, externalId: randomUUID(), text: reply })
      .returning({ id: messages.id });
    await tx.insert(replyExamples).values({
      ...place,
      chatId: chat!.id,
      contactId,
      incoming,
      reply,
      replyMessageId: answer!.id,
      repliedAt: sentAt,
    });
    if (audience === "own") continue;
    const opened = { ...place, origin: "opened", contactId, replyMessageId: answer!.id } as const;
    await tx.insert(openReplies).values({ ...opened, question: incoming, reply });
  }
  await incrementKnowledgeVersion(tx, twinId);
  return ids;
}
