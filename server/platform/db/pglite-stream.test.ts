import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, inject, test } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";

test.skipIf(!("path" in inject("databaseSnapshot")))("keeps nothing of what it has answered", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const database = await openTestDatabase();
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++)
      await database.db.$client.query("select g, repeat('a', 50) from generate_series(1, 100) g");
  };
  try {
    await ask(50);
    const before = heap();
    await ask(200);
    expect(heap() - before).toBeLessThan(2_000_000);
  } finally {
    await database.close();
  }
});
