import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditLog, outbox } from "#server/db/schema.ts";
import { type BotBench, botBench, WAIT } from "#server/test/bot-bench.ts";

let bench: BotBench;
beforeAll(async () => {
  bench = await botBench();
});
afterAll(() => bench.close());

test("stops every twin of the organisation at once, keeps what they would say, and lets them answer again", async () => {
  const { t, telegram, connect, approvals, drafted, outboxOf, sentTo } = bench;
  const bot = await connect("auto");
  const { owner, token, ivan } = bot;
  const { organizationId } = owner.viewer;
  const [colleague, viewer] = [
    await t.signUp({ role: "user", organizationId }),
    await t.signUp({ role: "viewer", organizationId }),
  ];
  const other = await connect("auto");
  telegram.say(token, ivan, "Привет!");
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  // On its way: it waits for its next try when the switch is thrown.
  const later = new Date(Date.now() + 1000);
  await t.services.db
    .update(outbox)
    .set({ state: "pending", nextAttemptAt: later, externalIds: [] })
    .where(eq(outbox.integrationId, bot.integration.id));

  expect((await viewer.put("/api/stop-switch", { stopped: true })).statusCode).toBe(403);
  const stopped = await colleague.put("/api/stop-switch", { stopped: true });
  expect(stopped.json()).toEqual({ stopped: true, since: expect.any(String), by: "Тест", mayResume: true });
  expect((await viewer.get("/api/stop-switch")).json()).toMatchObject({ stopped: true, mayResume: false });
  expect((await other.owner.get("/api/stop-switch")).json().stopped).toBe(false);
  expect(await outboxOf(bot)).toMatchObject([{ state: "draft", reason: "Все двойники остановлены" }]);

  telegram.say(token, ivan, "Вы тут?");
  const waiting = await drafted(owner, 2);
  expect(waiting.map(({ reason }) => reason)).toEqual(["Все двойники остановлены", "Все двойники остановлены"]);
  const refused = await owner.post(`/api/approvals/${waiting[0]!.id}/approve`);
  expect(refused.json()).toMatchObject({
    code: "cannot_send",
    message: "Все двойники остановлены: сначала включите их",
  });
  // Written past the switch, as by a process that had looked before: the send itself looks again.
  await t.services.db.update(outbox).set({ state: "pending" }).where(eq(outbox.id, waiting[1]!.id));
  await bench.supervisor.look();
  await expect.poll(async () => (await approvals(owner)).length, WAIT).toBe(2);
  await t.jobsIdle();
  expect(sentTo(ivan)).toHaveLength(1);
  telegram.say(other.token, other.ivan, "Привет!");
  await expect.poll(() => sentTo(other.ivan).length, WAIT).toBe(1);

  const second = await t.signUp({ role: "user", organizationId });
  expect((await second.put("/api/stop-switch", { stopped: false })).statusCode).toBe(403);
  expect((await owner.put("/api/stop-switch", { stopped: false })).json().stopped).toBe(false);
  await owner.post(`/api/approvals/${waiting[1]!.id}/approve`);
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(2);
  const entries = await t.services.db
    .select({ action: auditLog.action, userId: auditLog.userId })
    .from(auditLog)
    .where(sql`${auditLog.orgId} = ${organizationId} and ${auditLog.action} like 'twins-%'`)
    .orderBy(auditLog.id);
  expect(entries).toEqual([
    { action: "twins-stopped", userId: colleague.viewer.userId },
    { action: "twins-resumed", userId: owner.viewer.userId },
  ]);
});

test("whatever the moment: no send begins after the answer of the stop", async () => {
  const { telegram, connect, outboxOf } = bench;
  const bot = await connect("auto");
  const people = Array.from({ length: 8 }, () => bench.person());
  for (const person of people) telegram.say(bot.token, person, "Привет!");
  await expect.poll(() => people.filter((person) => bench.sentTo(person).length > 0).length, WAIT).toBeGreaterThan(1);
  await bot.owner.put("/api/stop-switch", { stopped: true });
  const begun = (await outboxOf(bot)).filter(({ state }) => state === "sending" || state === "sent").length;
  await bench.handled(bot, people.length);
  await bench.t.jobsIdle();
  expect(people.flatMap((person) => bench.sentTo(person))).toHaveLength(begun);
});
