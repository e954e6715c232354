import { expect, test } from "vitest";
import { prepareMetrics, SOON, scrape, seriesValue, t } from "#server/test/health/metrics-bench.ts";

prepareMetrics();

test("while the database is away the metrics say so, and repeat nothing that was known before", async () => {
  const { db } = t.services;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let holding = 0;
  const hold = () => {
    holding++;
    return held;
  };
  const holders = Array.from({ length: db.$client.options.max }, () => db.transaction(hold));
  await expect.poll(() => holding, { timeout: 30_000 }).toBe(holders.length);
  try {
    await expect.poll(() => seriesValue("twins_database_up"), SOON).toBe(0);
    const { body } = await scrape();
    expect(body).not.toContain("twins_jobs_waiting{");
    expect(body).not.toContain("twins_channels{");
    expect(body).toContain("process_resident_memory_bytes");
  } finally {
    letGo();
    await Promise.all(holders);
  }
  await expect.poll(() => seriesValue("twins_database_up"), SOON).toBe(1);
});
