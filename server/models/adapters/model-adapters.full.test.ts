import { copyFile, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AdapterBench, openAdapterBench } from "#server/test/models/adapter-bench.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";

// The model processes load models while other tests run.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const missing = noLlama();
describe.skipIf(missing !== null)(`adapters${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let folder: AdapterBench["folder"];
  let host: AdapterBench["host"];
  let ask: AdapterBench["ask"];
  let close: AdapterBench["close"];
  beforeAll(async () => {
    ({ folder, host, ask, close } = await openAdapterBench());
  });
  afterAll(() => close());

  test.runIf(process.platform === "linux")(
    "memory does not grow with the number of adapters that were used",
    async () => {
      const path = join(folder, "wide");
      // A block of this size is returned to the system when it is freed.
      await writeTinyAdapter(path, { rank: 12_000 });
      const { size } = await stat(path);
      expect(size).toBeGreaterThan(40 * 1024 ** 2);
      const resident: number[] = [];
      for (let one = 0; one < 3; one++) {
        const copy = `${path} ${one}`;
        await copyFile(path, copy);
        expect((await ask(copy, "Да", "a", 1)).adapted).toBe(true);
        resident.push(Number((await readFile(`/proc/${host.pid}/statm`, "utf8")).split(" ")[1]) * 4096);
        await rm(copy);
      }
      expect(resident[2]! - resident[0]!).toBeLessThan(1.2 * size);
    },
  );
});
