/** Counts interrupted runs of a twin's training and of computing its embeddings. */
import { eq, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { CrashCounter } from "#server/platform/jobs/crash-limit.ts";

const TRAINING =
  "Обучение трижды обрывалось на одном и том же месте, и мы его остановили. Двойник отвечает по тому, что выучил раньше. " +
  "Удалите материал, который добавили последним, или добавьте другой: обучение начнётся снова.";
const QUERY_EMBEDDING =
  "Изучение смысла трижды обрывалось, и мы его остановили. Двойник ищет по словам. Измените материалы двойника: после обучения попробуем снова.";

export const trainingRuns = (twinId: string): CrashCounter => ({
  key: `training ${twinId}`,
  async add(tx, change) {
    const [row] = await tx
      .update(twins)
      .set({ trainingCutOff: sql`greatest(0, ${twins.trainingCutOff} + ${change})` })
      .where(eq(twins.id, twinId))
      .returning({ runs: twins.trainingCutOff });
    return row?.runs ?? null;
  },
  async giveUp(tx) {
    await tx
      .update(twins)
      .set({ trainingStage: null, trainingProgress: 1, trainingError: TRAINING })
      .where(eq(twins.id, twinId));
  },
});

export const embeddingRuns = (twinId: string): CrashCounter => ({
  key: `embeddings ${twinId}`,
  async add(tx, change) {
    const [row] = await tx
      .update(twins)
      .set({ embeddingCutOff: sql`greatest(0, ${twins.embeddingCutOff} + ${change})` })
      .where(eq(twins.id, twinId))
      .returning({ runs: twins.embeddingCutOff });
    return row?.runs ?? null;
  },
  async giveUp(tx) {
    await tx.update(twins).set({ embeddingError: QUERY_EMBEDDING }).where(eq(twins.id, twinId));
  },
});

/** Resets the counter after progress (a split document, stored index segments), from which the next run continues. */
export async function trainingProgressed(tx: Tx, twinId: string): Promise<void> {
  await tx.update(twins).set({ trainingCutOff: 0 }).where(sql`${twins.id} = ${twinId} and ${twins.trainingCutOff} > 0`);
}

export async function embeddingProgressed(tx: Tx, twinId: string): Promise<void> {
  await tx
    .update(twins)
    .set({ embeddingCutOff: 0 })
    .where(sql`${twins.id} = ${twinId} and ${twins.embeddingCutOff} > 0`);
}
