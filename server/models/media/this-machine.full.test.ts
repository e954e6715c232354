/** A local speech model that is chosen and then deselected. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { speechPath } from "#server/models/local/model-rows.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { open, prepareThisMachine, t } from "#server/test/media/this-machine-bench.ts";
import { writeToneModel } from "#server/test/media/tone-model.ts";

prepareThisMachine();

test("a speech model that is chosen on the screen hears from then on, and no longer when it is taken off", async () => {
  const { db, config } = t.services;
  const local = await open({ speechModel: null, ocrData: null });
  expect(local.recognizer("speech")).toBeNull();
  await writeToneModel(speechPath(config.dataDir, "tones"));
  const row = { kind: "speech", name: "Тоны", storedName: "tones", state: "ready", chosen: true } as const;
  await db.insert(localModels).values(row);
  await expect.poll(() => local.recognizer("speech"), { timeout: 10_000 }).not.toBeNull();
  await db.update(localModels).set({ chosen: false }).where(eq(localModels.storedName, "tones"));
  await expect.poll(() => local.recognizer("speech"), { timeout: 10_000 }).toBeNull();
  await local.close();
});
