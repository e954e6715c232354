/** Creates the demo's gaps, and one that the owner has answered, so that a newcomer sees the whole loop. */
import { and, eq } from "drizzle-orm";
import type { DemoCustomer } from "#server/demo/content/demo-inbox.ts";
import { recordUnanswered } from "#server/inbox/unanswered/unanswered.ts";
import { teachFact } from "#server/knowledge/corrections/taught-facts.ts";
import { gapSubject } from "#server/knowledge/forgetting/gap-words.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import type { twins } from "#server/platform/db/schema/twins.ts";

interface GapPlace {
  twin: typeof twins.$inferSelect;
  userId: string;
  conversationId: string;
  momentOf: (ago: number) => Date;
}

type Lines = DemoCustomer["lines"];

/**
 * Records each question at the time when the customer asked it. If it was answered since, the customer has been notified and the twin knows
 * it.
 */
export async function noteGaps(tx: Tx, place: GapPlace, lines: Lines): Promise<void> {
  for (const [at, line] of lines.entries()) {
    if (line.by !== "twin" || line.basis !== "unknown") continue;
    const { text: said, ago } = lines[at - 1]!;
    const { twin, conversationId, momentOf } = place;
    await recordUnanswered(tx, { orgId: twin.orgId, twinId: twin.id, conversationId, said, until: momentOf(line.ago) });
    const answered = line.taught && (await answeredGap(tx, place, said, line.taught));
    await tx
      .update(gapQuestions)
      .set({ askedAt: momentOf(ago), ...answered })
      .where(and(eq(gapQuestions.conversationId, conversationId), eq(gapQuestions.said, said)));
  }
}

/** @returns the columns of the question's row that refer to the answer */
async function answeredGap(
  tx: Tx,
  { twin, userId, momentOf }: GapPlace,
  question: string,
  { text, ago }: NonNullable<Lines[number]["taught"]>,
) {
  const { id: twinId, orgId } = twin;
  const [gap] = await tx
    .insert(gaps)
    .values({ orgId, twinId, createdAt: momentOf(ago) })
    .returning();
  // Simulates that the owner pressed «Ответить всем», to show the effect.
  const to = { everybody: true } as const;
  const { correctionId } = await teachFact(tx, twin, userId, { question, text, to, subject: gapSubject(gap!) });
  const decidedAt = momentOf(ago);
  await tx.update(corrections).set({ createdAt: decidedAt }).where(eq(corrections.id, correctionId));
  await tx
    .update(gaps)
    .set({ state: "answered", answeredBy: "owner", correctionId, decidedAt })
    .where(eq(gaps.id, gap!.id));
  return { gapId: gap!.id, question, answered: true, told: "sent" } as const;
}
