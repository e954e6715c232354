/** Facts that were found in the owner's letters and that he has confirmed: corrections for everybody, of no talk. */
import { and, eq } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { corrections } from "#server/db/schema.ts";
import { unprocessable } from "#server/errors.ts";
import { claimsToBeHuman } from "#server/output-guard/human-claim.ts";
import type { TwinRow } from "#server/twins/twins.ts";
import { keepFirstVersion, keepVersion } from "#server/twins/versions.ts";
import { personalReason } from "./personal.ts";

export interface TaughtFact {
  question: string;
  text: string;
  /** `fact_proposals.subject`: a fact takes the place of the one before it. */
  subject: Buffer;
}

/**
 * The next answer knows it.
 * @param twin locked
 * @returns the correction that says it now, and the one that has said otherwise until now
 * @throws Problem 422: it may not be said to everybody
 */
export async function teachFact(
  tx: Tx,
  twin: TwinRow,
  userId: string,
  { question, text, subject }: TaughtFact,
): Promise<{ correctionId: string; replacedId: string | null }> {
  if (claimsToBeHuman(text)) {
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
  }
  const personal = await personalReason(tx, twin.id, [question, text], { withContact: false });
  if (personal !== null) throw unprocessable("personal_fact", `${personal} Уберите это: двойник скажет факт всем.`);
  await keepFirstVersion(tx, twin);
  const [replaced] = await tx
    .update(corrections)
    .set({ state: "removed" })
    .where(and(eq(corrections.twinId, twin.id), eq(corrections.factSubject, subject), eq(corrections.state, "active")))
    .returning({ id: corrections.id });
  const [made] = await tx
    .insert(corrections)
    .values({
      orgId: twin.orgId,
      twinId: twin.id,
      kind: "fact",
      question,
      context: [],
      twinReply: "",
      text,
      audience: 0,
      factSubject: subject,
      createdBy: userId,
    })
    .returning({ id: corrections.id });
  await keepVersion(tx, twin, "corrections", userId);
  return { correctionId: made!.id, replacedId: replaced?.id ?? null };
}

/** As if it had not been taught, however it was edited since. @param twin locked */
export async function takeFactBack(
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
