import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import type { JobName } from "#server/platform/jobs/catalogue.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // Jobs must stay queued as the tests enqueue them.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

test("a measurement or a check that was given up is reported until it is asked for again", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const { organizationId, userId } = ann.caller;
  const failedAt = async (what: "quality" | "corrections") =>
    (await ann.get(`/api/digital-twins/${twinId}/${what}`)).json().failedAt;
  const queued = (name: "measure-fidelity" | "replay-corrections") =>
    asTenant(t.services.db, ann.caller, (tx) => t.services.jobs.enqueue(tx, name, { organizationId, userId, twinId }));
  const put = (name: JobName, state: "retry" | "failed") =>
    t.services.db.execute(
      sql`update jobs.job set state = ${state}, completed_on = case when ${state} = 'failed' then now() end
        where name = ${name} and singleton_key = ${twinId}`,
    );

  for (const [name, what] of [
    ["measure-fidelity", "quality"],
    ["replay-corrections", "corrections"],
  ] as const) {
    expect(await failedAt(what), what).toBeNull();
    await queued(name);
    // The job will be retried automatically.
    await put(name, "retry");
    expect(await failedAt(what), what).toBeNull();
    await put(name, "failed");
    expect(Date.now() - Date.parse(await failedAt(what)), what).toBeLessThan(60_000);
  }
  // The button «Повторить».
  expect((await ann.post(`/api/digital-twins/${twinId}/corrections/replay`, {})).statusCode).toBe(202);
  expect(await failedAt("corrections")).toBeNull();
  expect(await failedAt("quality")).not.toBeNull();
});
