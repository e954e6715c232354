import { expect, test } from "vitest";
import { factOf, prepareReport, read, SOON, t } from "#server/test/health/report-bench.ts";

prepareReport();

test("a disk that fills is to be looked at, and a full one has failed", async () => {
  t.services.disk.measure = async () => ({ totalBytes: 1000 * 2 ** 30, freeBytes: 80 * 2 ** 30 });
  await expect.poll(() => factOf("disk"), SOON).toMatchObject({ state: "attention", summary: "Места мало" });
  t.services.disk.measure = async () => ({ totalBytes: 1000 * 2 ** 30, freeBytes: 10 * 2 ** 30 });
  await expect.poll(() => factOf("disk"), SOON).toMatchObject({ state: "failure" });
  expect((await read()).state).toBe("failure");
});
