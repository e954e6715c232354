import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { startOwnS3Server } from "#server/test/servers/s3-server.ts";
import { testApp } from "#server/test/test-app.ts";
import { checkFilePlace } from "./file-place.ts";

test("a start with a bucket is refused while files lie in the data folder", async () => {
  const s3 = await startOwnS3Server();
  onTestFinished(() => s3.close());
  const t = await testApp({ storage: s3.storage });
  onTestFinished(() => t.close());
  const { dataDir, ...config } = t.services.config;
  const path = storedPath(dataDir, `export-${randomBytes(16).toString("hex")}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "letters");
  onTestFinished(() => rm(path));
  await expect(checkFilePlace({ ...config, dataDir }, t.services.db)).rejects.toThrow("STORAGE_URL: задан");
});
