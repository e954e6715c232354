/** How often a twin's training, or the learning of its meanings, has been cut off. */
import { eq, sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { twins } from "#server/db/schema.ts";
import type { RunCounter } from "#server/jobs/counted-run.ts";

const TRAINING =
  "Обучение трижды обрывалось на одном и том же месте, и мы его остановили. Двойник отвечает по тому, что выучил раньше. " +
  "Удалите материал, который добавили последним, или добавьте другой: обучение начнётся снова.";
const MEANING =
  "Изучение смысла трижды обрывалось, и мы его остановили. Двойник ищет по словам. Измените материалы двойника: после обучения попробуем снова.";

export const trainingRuns = (twinId: string): RunCounter => ({
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

export const meaningRuns = (twinId: string): RunCounter => ({
  key: `meanings ${twinId}`,
  async add(tx, change) {
    const [row] = await tx
      .update(twins)
      .set({ meaningCutOff: sql`greatest(0, ${twins.meaningCutOff} + ${change})` })
      .where(eq(twins.id, twinId))
      .returning({ runs: twins.meaningCutOff });
    return row?.runs ?? null;
  },
  async giveUp(tx) {
    await tx.update(twins).set({ meaningError: MEANING }).where(eq(twins.id, twinId));
  },
});

/** A document is split, or segments of the index are stored: the next run begins behind them. */
export async function trainingProgressed(tx: Tx, twinId: string): Promise<void> {
  await tx.update(twins).set({ trainingCutOff: 0 }).where(sql`${twins.id} = ${twinId} and ${twins.trainingCutOff} > 0`);
}

export async function meaningProgressed(tx: Tx, twinId: string): Promise<void> {
  await tx.update(twins).set({ meaningCutOff: 0 }).where(sql`${twins.id} = ${twinId} and ${twins.meaningCutOff} > 0`);
}
