/** Asks a contact to write what their recording or picture says, in a fixed text that no model generates. */
import { desc, eq } from "drizzle-orm";
import type { Citations } from "#server/answers/replies/answer-conversation.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import type { ConversationRow } from "../conversations/contact-conversation.ts";
import type { SenderTrust } from "../conversations/sender-trust.ts";
import type { AnswerDeps, AnswerJob } from "./answer-in-progress.ts";

const ASKED = "Просьба написать словами";
const WORDS: Record<Address, string> = {
  вы: "Не получилось разобрать ваше сообщение. Напишите, пожалуйста, то же самое текстом.",
  ты: "Не получилось разобрать твоё сообщение. Напиши, пожалуйста, то же самое текстом.",
};

/** Whether the last thing that went out was this very question. */
export async function hasJustAsked(tx: Tx, conversationId: string): Promise<boolean> {
  const [last] = await tx
    .select({ citations: outbox.citations })
    .from(outbox)
    .where(eq(outbox.conversationId, conversationId))
    .orderBy(desc(outbox.createdAt))
    .limit(1);
  return (last?.citations as Citations | null | undefined)?.reason === ASKED;
}

export async function askToWrite(
  tx: Tx,
  deps: AnswerDeps,
  { organizationId, userId, integrationId }: AnswerJob,
  conversation: ConversationRow,
  { question, address, sender }: { question: string; address: Address | null; sender: SenderTrust },
): Promise<void> {
  const citations: Citations = { sources: [], replyExamples: [], confidence: 1, basis: "smalltalk", reason: ASKED };
  const place = { orgId: organizationId, integrationId, conversationId: conversation.id };
  const text = WORDS[address ?? "вы"];
  const toUnproven = sender !== "proven";
  await tx.insert(outbox).values({
    ...{ ...place, question, text, secrecy: "organization", state: "pending" },
    ...{ confidence: 1, citations, toUnproven },
  });
  await deps.jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
}
