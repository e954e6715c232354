import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeTinyReader } from "#server/test/models/tiny-model.ts";
import { forModels, neededBytes } from "../model-memory.ts";
import { partPath } from "../model-rows.ts";
import { verifyFile } from "./verify-file.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "dt-verify-file-"));
});
afterAll(() => rm(dataDir, { recursive: true }));

test("a model that searches is asked for the memory of short texts, however long ones it was trained on", async () => {
  const path = partPath(dataDir, "reader");
  await mkdir(dirname(path), { recursive: true });
  await writeTinyReader(path);
  const file = await readFile(path);
  const key = "bert.context_length";
  file.writeUInt32LE(1_000_000, file.indexOf(key) + key.length + 4);
  await writeFile(path, file);
  // The limit leaves half a gigabyte beside the file, which a vocabulary of a million tokens would exceed.
  const memoryBytes = (neededBytes(file.length, 512 * 1024 ** 2) * 4) / 3;
  expect(forModels({ memoryBytes })).toBeLessThan(neededBytes(file.length, 1_000_000 * 1000));
  const verified = { dataDir, storedName: "reader", kind: null, fileName: "e5.gguf", most: 1_000_000 };
  expect(await verifyFile({ ...verified, machine: { memoryBytes, cores: 1 } })).toMatchObject({
    architecture: "bert",
    contextTokens: 1_000_000,
  });
});
