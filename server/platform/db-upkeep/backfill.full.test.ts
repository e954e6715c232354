import { expect, test, vi } from "vitest";
import { killBackfill } from "#server/test/processes/killed-backfill.ts";

vi.setConfig({ testTimeout: 600_000 });

test("a backfill that is killed at the change of rows, at the note of the place and at the commit changes every row once", async () => {
  expect(await killBackfill(20_000, 500, [25, 39, 54])).toEqual([
    expect.stringMatching(/^with batch/),
    expect.stringMatching(/^update drizzle/),
    "commit",
  ]);
});

test("a backfill that is killed within its transactions goes on where it was, and changes every row once", async () => {
  expect(await killBackfill(2000, 50, [25])).toEqual([expect.stringMatching(/^with batch/)]);
});
