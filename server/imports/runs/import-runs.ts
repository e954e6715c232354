/** Counts how often a job of an import was interrupted. */
import { eq, sql } from "drizzle-orm";
import { imports } from "#server/platform/db/schema/imports.ts";
import type { CrashCounter } from "#server/platform/jobs/crash-limit.ts";

const SENTENCE =
  "Импорт трижды обрывался на одном и том же месте, и мы его остановили. Попробуйте ещё раз или возьмите меньше чатов";

export const importRuns = (importId: string): CrashCounter => ({
  key: `import ${importId}`,
  async add(tx, change) {
    const [row] = await tx
      .update(imports)
      .set({ cutOff: sql`greatest(0, ${imports.cutOff} + ${change})` })
      .where(eq(imports.id, importId))
      .returning({ cutOff: imports.cutOff });
    return row?.cutOff ?? null;
  },
  async giveUp(tx) {
    // An import without a preview cannot be restarted, so its file is swept.
    const storedName = sql`case when ${imports.preview} is null then null else ${imports.storedName} end`;
    await tx
      .update(imports)
      .set({ status: "failed", error: SENTENCE, storedName, updatedAt: new Date() })
      .where(sql`${imports.id} = ${importId} and ${imports.status} in ('reading', 'running')`);
  },
});
