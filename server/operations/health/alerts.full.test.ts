import { expect, test } from "vitest";
import { FULL_DISK, MINUTE, prepareAlerts, START, subjects, watching } from "#server/test/health/alerts-bench.ts";

prepareAlerts();

test("a failure is reported again each day as long as it lasts", async () => {
  const { look, find } = watching();
  find(FULL_DISK);
  for (let minute = 0; minute <= 50 * 60; minute += 4) await look(new Date(START + minute * MINUTE));
  expect(subjects()).toEqual(["Сбой: диск", "Всё ещё сбой: диск", "Всё ещё сбой: диск"]);
});
