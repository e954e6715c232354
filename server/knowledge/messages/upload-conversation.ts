/** Stores a pasted conversation as history: a source, a chat, a contact, messages and reply examples. */
import { createHash } from "node:crypto";
import type * as z from "zod/mini";
import type { ConversationUpload, ConversationUploaded } from "#contract/knowledge/knowledge.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { conversationLine, recordActivity } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { ensureChat, ensureContacts, ensureSource, type HistoryMessage, storeMessages } from "./messages.ts";
import { pairChat } from "./pair-chats.ts";
import { type PastedTurn, parsePastedLines } from "./pairs/parse-pasted-lines.ts";

/**
 * A conversation with one participant on one platform is one source and one chat. Lines pasted before are skipped, and a longer paste
 * adds the new ones.
 * @throws Problem 404 (twin), 403, 422 when no line contains text
 */
export async function uploadConversation(
  { db, jobs }: { db: Database; jobs: Jobs },
  caller: Caller,
  { digitalTwinId: twinId, platform, messages: lines, participants }: z.output<typeof ConversationUpload>,
): Promise<ConversationUploaded> {
  const turns = parsePastedLines(lines, { participants });
  if (turns.length === 0) throw unprocessable("dialogue_empty", "В переписке нет сообщений");
  const name = participants[0]!;
  const externalId = normalisedName(name);
  return asTenant(db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, twinId);
    const source = { kind: "paste" as const, platform, externalId, name };
    const sourceId = await ensureSource(tx, caller, twinId, source);
    const place = { twinId, sourceId, platform };
    const chatId = await ensureChat(tx, caller, place, { externalId: `paste:${externalId}`, kind: "private", name });
    const people = await ensureContacts(tx, caller, { twinId, platform }, [{ externalId, name }]);
    const contactId = people.get(externalId)!;
    const messages = toMessages(turns, chatId, contactId);
    const imported = await storeMessages(tx, caller, place, messages);
    const duplicates = messages.length - imported;
    if (imported > 0) {
      await pairChat(tx, caller, { twinId, chatId });
      await recordActivity(tx, caller, twin, "dialogue_added", conversationLine(name));
      await incrementKnowledgeVersion(tx, twinId);
      await requestTraining(tx, jobs, caller, twinId);
    }
    const fromOwner = messages.filter((message) => message.fromOwner).length;
    return { imported, fromOwner, duplicates, sourceId };
  });
}

const normalisedName = (name: string) => name.toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ").trim();

/**
 * Lines have no ids, so a line is identified by speaker, text and its number among identical lines. Its time does not count, because a
 * paste without times has the time of pasting. The order of lines determines their time order.
 */
function toMessages(turns: readonly PastedTurn[], chatId: number, contactId: number): HistoryMessage[] {
  const seen = new Map<string, number>();
  let last = 0;
  return turns.map(({ role, speech, sentAt }) => {
    const fromOwner = role === "assistant";
    const line = JSON.stringify([role, speech]);
    const occurrence = (seen.get(line) ?? 0) + 1;
    seen.set(line, occurrence);
    last = Math.max((sentAt ?? new Date()).getTime(), last + 1);
    return {
      chatId,
      contactId: fromOwner ? null : contactId,
      fromOwner,
      externalId: createHash("sha256").update(`${occurrence}:${line}`).digest("hex"),
      replyTo: null,
      kind: "text",
      text: speech,
      sentAt: new Date(last),
    };
  });
}
