import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigError } from "#server/platform/config.ts";
import { folder, open, prepareThisMachine } from "#server/test/media/this-machine-bench.ts";
import { writeToneModel } from "#server/test/media/tone-model.ts";

prepareThisMachine();

test("a speech model beside the data hears without a choice, and one without a model stops the start with a sentence", async () => {
  const named = await writeToneModel(join(folder, "tones"));
  const local = await open({ speechModel: named, ocrData: null });
  expect(local.recognizer("speech")).not.toBeNull();
  await local.close();
  await mkdir(join(folder, "empty"));
  await expect(open({ speechModel: join(folder, "empty"), ocrData: null })).rejects.toThrow(ConfigError);
  await expect(open({ speechModel: null, ocrData: folder })).rejects.toThrow("rus.traineddata");
});
