/** What an exam costs on the model that answers for this organisation. */
import { and, eq, sql } from "drizzle-orm";
import { TWIN_EXAM_QUESTIONS, type TwinExam } from "#contract/twin-exam.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { turnCost } from "./turn-cost.ts";

const MILLION = 1_000_000;

/** Returns null when no model answers. */
export async function costOf(
  tx: Tx,
  organizationId: string,
  twinId: string,
  generator: Generator,
): Promise<TwinExam["cost"]> {
  const [known] = await tx
    .select({ chars: sql<number>`coalesce(sum(length(${chunks.text})), 0)::int` })
    .from(chunks)
    .where(eq(chunks.twinId, twinId));
  const turn = turnCost(generator, known?.chars ?? 0);
  if (turn === null) return null;
  const [priced] = await tx
    .select({
      input: remoteModels.inputPrice,
      output: remoteModels.outputPrice,
      currency: remoteModels.currency,
    })
    .from(remoteModels)
    .where(
      and(
        eq(remoteModels.orgId, organizationId),
        eq(remoteModels.enabled, true),
        eq(remoteModels.model, generator.model ?? ""),
      ),
    );
  const [input, output] = [turn.input * TWIN_EXAM_QUESTIONS, turn.output * TWIN_EXAM_QUESTIONS];
  const money =
    priced === undefined || priced.input === null || priced.output === null
      ? null
      : (input * priced.input + output * priced.output) / 1000 / MILLION;
  return {
    // One more writes the questions.
    calls: turn.calls * TWIN_EXAM_QUESTIONS + (generator.write === undefined ? 0 : 1),
    tokens: input + output,
    ...{ money, currency: money === null ? null : priced!.currency },
  };
}
