import { afterAll, beforeAll, expect, test } from "vitest";
import type { DashboardStats } from "#contract/analytics.ts";
import type { Analytics } from "#contract/report.ts";
import { lastUsageDays } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test("each of the newest twins comes with its answers of the last seven days, today last", async () => {
  const [ann, eve] = [await t.signUp(), await t.signUp()];
  const oldest = await buildTwin(ann, { name: "Старший" });
  const silent = await buildTwin(ann, { name: "Молчит" });
  const busy = await buildTwin(ann, { name: "Отвечает" });
  const newest = await buildTwin(ann, { name: "Младший" });
  const days = lastUsageDays(8);
  const used = (twinId: string, place: number, messages: number) => ({
    orgId: ann.caller.organizationId,
    twinId,
    day: days[place] as string,
    messages,
  });
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx
      .insert(dailyUsage)
      .values([used(busy, 0, 9), used(busy, 1, 4), used(busy, 7, 2), used(newest, 6, 1), used(oldest, 7, 5)]),
  );
  const weeks = async (client: typeof ann) => (await client.get("/api/dashboard/stats")).json<DashboardStats>().weeks;
  const said = await weeks(ann);
  expect(said).toHaveLength(2);
  expect(said).toEqual(
    expect.arrayContaining([
      { twinId: busy, answers: [4, 0, 0, 0, 0, 0, 2] },
      { twinId: newest, answers: [0, 0, 0, 0, 0, 1, 0] },
    ]),
  );
  expect(said?.some(({ twinId }) => twinId === silent)).toBe(false);
  expect(await weeks(eve)).toEqual([]);
});

test("answers of a period are counted alike on every screen, and none is taken back when the first customer writes", async () => {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner, { name: "Отвечает" });
  const [yesterday, today] = lastUsageDays(2);
  const { organizationId: orgId } = owner.caller;
  const add = (day: string | undefined, messages: number, tests: number) =>
    asTenant(t.services.db, owner.caller, (tx) =>
      tx.insert(dailyUsage).values({ orgId, twinId, day: day!, messages, tests }),
    );
  const expectEverywhere = async (week: number[], tests: number) => {
    const all = week.reduce((sum, answers) => sum + answers, 0);
    expect((await owner.get("/api/dashboard/stats")).json()).toMatchObject({
      ...{ dailyMessages: week.at(-1), totalMessages: all, weeks: [{ twinId, answers: week }] },
    });
    const report = (await owner.get(`/api/analytics?days=7&twinId=${twinId}`)).json<Analytics>();
    expect(report).toMatchObject({ totalInteractions: all, tests, topPerformingTwins: [{ interactions: all }] });
    expect(report.dailyStats.map(({ interactions }) => interactions)).toEqual(week);
    expect((await owner.get(`/api/organizations/${orgId}/stats`)).json()).toMatchObject({ totalMessages: all });
  };
  await add(today, 5, 5);
  await expectEverywhere([0, 0, 0, 0, 0, 0, 5], 5);
  await add(yesterday, 3, 1);
  await expectEverywhere([0, 0, 0, 0, 0, 3, 5], 6);
});
