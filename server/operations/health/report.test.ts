import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { lastHour } from "#server/platform/process/metrics.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { chief, factOf, prepareReport, read, SOON, t } from "#server/test/health/report-bench.ts";

prepareReport();

test("a calm server without backups asks for attention, letters are not set up, and the rest is in order, with figures", async () => {
  // On a busy machine the database is slow for a while.
  const states = async () =>
    (await read()).facts.filter(({ id }) => id !== "database").map(({ id, state }) => [id, state]);
  const others = ["disk", "backup", "letters", "queues", "channels", "model", "process", "errors", "server"];
  const stateOf = (id: string) => (id === "backup" ? "attention" : id === "letters" ? "unset" : "ok");
  await expect.poll(states, SOON).toEqual(others.map((id) => [id, stateOf(id)]));
  const health = await read();
  expect(health.state).toBe("attention");
  for (const { title, summary, rows } of health.facts) {
    expect(title).toMatch(/[а-я]/);
    expect(summary).toMatch(/[а-я]/);
    for (const { name, value } of rows) expect(`${name}: ${value}`).not.toMatch(/undefined|NaN|null/);
  }
});

test("only the platform's administrator reads it", async () => {
  expect((await (await t.signUp()).get("/api/admin/health")).statusCode).toBe(403);
  expect((await t.anonymous.get("/api/admin/health")).statusCode).toBe(401);
});

test("files that cannot be reached have failed, wherever they lie", async () => {
  const { files } = t.services;
  const { check } = files;
  files.check = async () => {
    throw new Error("the storage does not answer");
  };
  await expect
    .poll(() => factOf("disk"), SOON)
    .toMatchObject({ state: "failure", summary: "Хранилище файлов не отвечает" });
  files.check = check;
});

test("a queue that stands still is named with what waits in it", async () => {
  const { db, jobs } = t.services;
  await jobs.stop(2000);
  const tenant = { organizationId: randomUUID(), userId: randomUUID() };
  await db.transaction((tx) => jobs.enqueue(tx, "run-import", { ...tenant, importId: "waits" }));
  await db.execute(
    sql`update jobs.job set created_on = now() - interval '3 hours', start_after = now() - interval '3 hours'`,
  );
  await expect
    .poll(() => factOf("queues"), SOON)
    .toMatchObject({
      state: "failure",
      summary: "Стоят: импорт выгрузок",
      rows: [{ name: "Импорт выгрузок", value: "ждут 1, выполняются 0, старшее ждёт 3\u00a0ч\u00a00\u00a0мин" }],
    });
});

test("channels are counted by platform, and one without a connection is to be looked at", async () => {
  const tenant = { organizationId: chief.caller.organizationId, userId: chief.caller.userId };
  const place = { orgId: tenant.organizationId, twinId: await buildTwin(chief), credentials: Buffer.from("sealed") };
  await asTenant(t.services.db, tenant, (tx) =>
    tx.insert(integrations).values([
      { ...place, platform: "telegram" },
      { ...place, platform: "telegram", trouble: "Telegram не отвечает" },
      { ...place, platform: "slack", status: "error" },
    ]),
  );
  await expect
    .poll(() => factOf("channels"), SOON)
    .toMatchObject({
      state: "attention",
      summary: "С неполадками: 2",
      rows: [
        { name: "Slack", value: "с ошибкой: 1" },
        { name: "Telegram", value: "работают: 1, без связи: 1" },
      ],
    });
});

test("errors of the last hour are counted, and those before it are not", async () => {
  for (let at = 0; at < 6; at++) lastHour.failedJobs.add();
  lastHour.failedRequests.add(Date.now() - 61 * 60_000);
  expect(await factOf("errors")).toMatchObject({ state: "attention", summary: "Ошибок: 6" });
});
