import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Integration, IntegrationEvent } from "#contract/integrations/integrations.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { integrationEvents, integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { WAIT } from "#server/test/channels/bot-bench.ts";
import { bench, prepareOwnerControl } from "#server/test/channels/owner-control-bench.ts";

prepareOwnerControl();

test("the switch stops all twins of the organisation at once, keeps their answers as drafts, and lets them answer again", async () => {
  const { t, telegram, connect, approvals, drafted, outboxOf, sentTo } = bench;
  const bot = await connect("auto");
  const { owner, token, ivan } = bot;
  const { organizationId } = owner.caller;
  const [colleague, caller] = [
    await t.signUp({ role: "user", organizationId }),
    await t.signUp({ role: "viewer", organizationId }),
  ];
  const other = await connect("auto");
  telegram.say(token, ivan, "Привет!");
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  // The answer waits for its next attempt when the twins are stopped.
  const later = new Date(Date.now() + 1000);
  await t.services.db
    .update(outbox)
    .set({ state: "pending", nextAttemptAt: later, externalIds: [] })
    .where(eq(outbox.integrationId, bot.integration.id));

  expect((await caller.put("/api/stop-switch", { stopped: true })).statusCode).toBe(403);
  const stopped = await colleague.put("/api/stop-switch", { stopped: true });
  expect(stopped.json()).toEqual({ stopped: true, since: expect.any(String), by: "Тест", mayResume: true });
  expect((await caller.get("/api/stop-switch")).json()).toMatchObject({ stopped: true, mayResume: false });
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
  // Simulates a process that read the switch earlier: the send itself must read it again.
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
    { action: "twins-stopped", userId: colleague.caller.userId },
    { action: "twins-resumed", userId: owner.caller.userId },
  ]);
});

test("a connection is checked at most every few seconds, and the result is in the log", async () => {
  const { t, telegram } = bench;
  const { owner, token, integration } = await bench.connect();
  const path = `/api/integrations/${integration.id}`;
  const check = () => owner.post(`${path}/check`);
  const forgetCheck = () =>
    t.services.db.update(integrations).set({ checkedAt: null }).where(eq(integrations.id, integration.id));
  const shown = async (): Promise<Integration> => (await owner.get(path)).json();
  const name = integration.account!;
  expect((await check()).json()).toMatchObject({ ok: true, account: name, message: `Соединение есть: ${name}` });
  const again = await check();
  expect([again.statusCode, again.headers["retry-after"], again.json().code]).toEqual([429, "5", "checked_just_now"]);
  expect(await shown()).toMatchObject({ connection: "connected", account: name });

  await owner.put(path, { status: "inactive" });
  expect((await shown()).connection).toBe("paused");
  await owner.put(path, { status: "active" });
  telegram.revoked.add(token);
  await forgetCheck();
  const message = "Telegram не принимает ключ бота. Скопируйте его у @BotFather заново.";
  expect((await check()).json()).toMatchObject({ ok: false, account: null, message });
  expect(await shown()).toMatchObject({ connection: "action", status: "error", statusReason: message });

  const events = async (query = ""): Promise<IntegrationEvent[]> => (await owner.get(`${path}/events${query}`)).json();
  const told = (await events()).map(({ text }) => text);
  expect(told).toContain(`Проверка: соединение есть, ${name}`);
  expect(told).toContain(`Проверка: ${message}`);
  const { organizationId: orgId } = owner.caller;
  const many = Array.from({ length: 60 }, (_, place) => ({ orgId, integrationId: integration.id, text: `№ ${place}` }));
  await t.services.db.insert(integrationEvents).values(many);
  const page = await events();
  expect([page.length, page[0]!.text, page.at(-1)!.text]).toEqual([50, "№ 59", "№ 10"]);
  expect((await events(`?before=${page.at(-1)!.id}`))[0]!.text).toBe("№ 9");
});
