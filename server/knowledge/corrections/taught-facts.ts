/**
 * Facts that the owner has confirmed, from his messages or from people's questions: corrections for all contacts or for the askers,
 * without a conversation.
 */
import { and, eq } from "drizzle-orm";
import type { TwinRow } from "#server/accounts/twins/twins.ts";
import { keepFirstVersion, keepVersion } from "#server/accounts/twins/versions.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { unprocessable } from "#server/platform/errors.ts";
import { personalReason } from "./personal.ts";

/** A contact with at least one wording of his question. */
export interface AskingContact {
  contactId: number;
  wordings: readonly [string, ...string[]];
}

interface TaughtFact {
  question: string;
  text: string;
  /** `everybody` only by the owner's choice; otherwise one correction per contact, at least one. */
  to: { everybody: true; rewordings?: string[] } | { everybody: false; askers: readonly AskingContact[] };
  /** Subject of the fact proposal or gap: a fact replaces the previous one with the same subject. */
  subject: Buffer;
}

/**
 * Stores the fact; it takes effect with the next answer.
 * @param twin locked
 * @returns the correction that stores it (for several contacts the first), and the previous one with another answer
 * @throws Problem 422 when the text must not be sent or published
 */
export async function teachFact(
  tx: Tx,
  twin: TwinRow,
  userId: string,
  { question, text, to, subject }: TaughtFact,
): Promise<{ correctionId: string; replacedId: string | null }> {
  if (claimsToBeHuman(text)) {
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
  }
  const personal = to.everybody ? await personalReason(tx, twin.id, [question, text], { withContact: false }) : null;
  if (personal !== null) throw unprocessable("personal_fact", `${personal} Уберите это: двойник скажет факт всем.`);
  await keepFirstVersion(tx, twin);
  const [replaced] = await tx
    .update(corrections)
    .set({ state: "removed" })
    .where(and(eq(corrections.twinId, twin.id), eq(corrections.factSubject, subject), eq(corrections.state, "active")))
    .returning({ id: corrections.id });
  const fact = {
    ...{ orgId: twin.orgId, twinId: twin.id, kind: "fact" as const, question, context: [], twinReply: "", text },
    ...{ factSubject: subject, createdBy: userId },
  };
  const rows = to.everybody
    ? [{ ...fact, audience: 0, rewordings: to.rewordings ?? [] }]
    : to.askers.map(({ contactId, wordings: [own, ...others] }) => ({
        // The asker's prompt contains only his own wording; other people's are used for comparison alone.
        ...{ ...fact, question: own, rewordings: [...new Set([question, ...others])].filter((one) => one !== own) },
        ...{ audience: contactId, contactId },
      }));
  const [made] = await tx.insert(corrections).values(rows).returning({ id: corrections.id });
  await keepVersion(tx, twin, "corrections", userId);
  return { correctionId: made!.id, replacedId: replaced?.id ?? null };
}

/** Removes the fact, even if edited since. @param twin locked */
export async function removeTaughtFact(
  tx: Tx,
  twin: TwinRow,
  userId: string,
  { subject, replacedId }: { subject: Buffer; replacedId: string | null },
): Promise<void> {
  await keepFirstVersion(tx, twin);
  const ofTwin = eq(corrections.twinId, twin.id);
  await tx
    .update(corrections)
    .set({ state: "removed" })
    .where(and(ofTwin, eq(corrections.factSubject, subject)));
  if (replacedId !== null) {
    await tx
      .update(corrections)
      .set({ state: "active" })
      .where(and(ofTwin, eq(corrections.id, replacedId)));
  }
  await keepVersion(tx, twin, "corrections", userId);
}
