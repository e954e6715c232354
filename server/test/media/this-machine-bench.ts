/** Readers of this machine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openLocalMedia } from "#server/models/media/this-machine.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export let t: TestApp;
export let folder: string;

export const open = (media: { speechModel: string | null; ocrData: string | null }) => {
  const { db, files, log, config } = t.services;
  return openLocalMedia({ db, files, log, config: { ...config, media } });
};

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareThisMachine(): void {
  beforeAll(async () => {
    t = await testApp();
    folder = await mkdtemp(join(tmpdir(), "dt-media-"));
  });
  afterAll(async () => {
    await t.close();
    await rm(folder, { recursive: true });
  });
}
