import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError } from "#server/config.ts";
import { localModels } from "#server/db/schema.ts";
import { speechPath } from "#server/models/files/model-rows.ts";
import { writeToneModel } from "#server/test/media/tone-model.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { openLocalMedia } from "./this-machine.ts";

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await testApp();
  folder = await mkdtemp(join(tmpdir(), "dt-media-"));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

const open = (media: { speechModel: string | null; ocrData: string | null }) => {
  const { db, files, log, config } = t.services;
  return openLocalMedia({ db, files, log, config: { ...config, media } });
};

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

test("a folder of the settings hears without a choice, and one without a model stops the start with a sentence", async () => {
  const named = await writeToneModel(join(folder, "tones"));
  const local = await open({ speechModel: named, ocrData: null });
  expect(local.recognizer("speech")).not.toBeNull();
  await local.close();
  await mkdir(join(folder, "empty"));
  await expect(open({ speechModel: join(folder, "empty"), ocrData: null })).rejects.toThrow(ConfigError);
  await expect(open({ speechModel: null, ocrData: folder })).rejects.toThrow("rus.traineddata");
});
