import { randomUUID } from "node:crypto";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import {
  model,
  owner,
  prepareMetrics,
  SOON,
  scrape,
  seriesValue,
  TOKEN,
  t,
} from "#server/test/health/metrics-bench.ts";
import { testApp } from "#server/test/test-app.ts";

import type { InstallationFacts } from "./facts.ts";
import { mountMetrics } from "./metrics.ts";

prepareMetrics();

test("only whoever holds the token reads the metrics", async () => {
  for (const authorization of [
    "",
    "Bearer ",
    "Bearer wrong",
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN} `,
    `Bearer ${owner.token}`,
  ]) {
    const answer = await scrape(authorization);
    expect(answer.statusCode, authorization).toBe(401);
    expect(answer.body).not.toContain("twins_");
  }
  const answer = await scrape();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toContain("text/plain");
  expect(answer.headers["cache-control"]).toBe("no-store");
});

test("without a token in the settings there are no metrics, not even for this machine", async () => {
  const closed = await testApp({ metricsToken: null });
  try {
    for (const headers of [{}, { authorization: "Bearer null" }, { authorization: `Bearer ${TOKEN}` }]) {
      const answer = await closed.anonymous.inject({
        method: "GET",
        url: "/metrics",
        headers,
        remoteAddress: "127.0.0.1",
      });
      expect(answer.statusCode).toBe(404);
    }
  } finally {
    await closed.close();
  }
});

test("requests are counted by route template, and invented addresses make one series together", async () => {
  const labels = { method: "GET", route: "/api/digital-twins/:id", status: "404" };
  const before = await seriesValue("twins_http_requests_total", labels);
  for (let at = 0; at < 3; at++) await owner.get(`/api/digital-twins/${randomUUID()}`);
  expect(await seriesValue("twins_http_requests_total", labels)).toBe(before + 3);

  const seriesOf = async () => (await scrape()).body.match(/^twins_http_requests_total/gm)?.length;
  await owner.get("/api/no-such-thing-0");
  const series = await seriesOf();
  for (let at = 1; at < 50; at++) await owner.get(`/api/no-such-thing-${at}?secret=${at}`);
  expect(await seriesOf()).toBe(series);
});

test("a reply is counted by basis and engine, with the model's time and tokens and its organisation's opaque id", async () => {
  const twinId = await buildTwin(owner);
  const answer = await owner.post("/api/ai-generate", { twinId, message: "Расскажите про слово-канарейка" });
  expect(answer.statusCode, answer.body).toBe(200);
  const { body } = await scrape();
  expect(body).toMatch(/^twins_replies_total\{basis="\w+",generator="remote",outcome="ok"\} [1-9]/m);
  expect(body).toMatch(/^twins_model_reply_seconds_count\{generator="remote"\} [1-9]/m);
  expect(
    await seriesValue("twins_model_tokens_total", { generator: "remote", direction: "read" }),
  ).toBeGreaterThanOrEqual(70);
  expect(await seriesValue("twins_model_tokens_total", { direction: "written" })).toBeGreaterThanOrEqual(7);
  const { organizationId } = owner.caller;
  expect(await seriesValue("twins_tenant_replies", { organization: organizationId })).toBeGreaterThan(0);
  // On a busy machine the database may briefly take longer than a scrape waits.
  await expect
    .poll(() => seriesValue("twins_tenant_model_tokens_today", { organization: organizationId }), SOON)
    .toBeGreaterThanOrEqual(77);

  const failed = { generator: "remote", outcome: "failed" };
  const before = await seriesValue("twins_replies_total", failed);
  model.script({ kind: "error", status: 500 });
  expect((await owner.post("/api/ai-generate", { twinId, message: "Расскажите ещё" })).statusCode).toBe(502);
  expect(await seriesValue("twins_replies_total", failed)).toBe(before + 1);
});

test("nobody's words, names, addresses or ids but organisations' are in the metrics", async () => {
  const twinId = await buildTwin(owner, { name: "Имяканарейка" });
  const canary = "словоканарейка";
  await owner.post("/api/ai-generate", { twinId, message: `Что такое ${canary}?` });
  await owner.get(`/api/conversations?search=${encodeURIComponent(canary)}`);
  await owner.get(`/${encodeURIComponent(canary)}/${twinId}`);
  const { organizationId, userId } = owner.caller;
  const { body } = await scrape();
  for (const secret of [canary, encodeURIComponent(canary), "Имяканарейка", twinId, userId, TOKEN, owner.token, "@"]) {
    expect(body).not.toContain(secret);
  }
  expect(body.replaceAll(/^# .*$/gm, ""), "everything that is said is in the program's own words").not.toMatch(
    /[а-яё]/i,
  );
  const ids = new Set(body.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g));
  expect([...ids]).toEqual([organizationId]);
});

test("what waits in the queues, the pools, the disk, the event loop and the process are read when they are asked for", async () => {
  await expect.poll(() => seriesValue("twins_database_up"), SOON).toBe(1);
  const { body } = await scrape();
  for (const name of [
    'twins_jobs_waiting{job="run-import"} 0',
    'twins_jobs_oldest_seconds{job="run-import"} 0',
    "twins_database_up 1",
    'twins_database_connections{pool="platform",state="max"}',
    'twins_disk_bytes{kind="free"}',
    "nodejs_eventloop_lag_p99_seconds",
    "process_resident_memory_bytes",
  ]) {
    expect(body).toContain(name);
  }
});

test("while the database is away the metrics say so, and repeat nothing that was known before", async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  const at = new Date();
  const backups = { last: { at, host: "one", bytes: 1, verified: true }, failure: null };
  const known = {
    connections: [],
    backfills: [],
    files: true,
    unwritable: null,
    letters: null,
    stuck: [],
    processes: [],
  };
  let facts: InstallationFacts = {
    ...{ ...known, at, databaseMs: 5, disk: { totalBytes: 2, freeBytes: 1 } },
    ...{ queues: [], channels: [{ platform: "slack", state: "active", count: 3 }], backups },
  };
  mountMetrics(app, { config: { metricsToken: TOKEN }, db: t.services.db, facts: async () => facts });
  const read = async () =>
    (await app.inject({ url: "/metrics", headers: { authorization: `Bearer ${TOKEN}` } })).body.split("\n");
  const named = ["twins_disk_bytes{", "twins_jobs_waiting{", "twins_channels{", "twins_backup_age_seconds{"];
  const before = await read();
  expect(before).toContain("twins_database_up 1");
  expect(before).toContain('twins_channels{platform="slack",state="active"} 3');
  for (const name of named)
    expect(
      before.some((line) => line.startsWith(name)),
      name,
    ).toBe(true);
  facts = { ...facts, databaseMs: null, disk: null, queues: null, channels: null, processes: null, backups: null };
  const after = await read();
  expect(after).toContain("twins_database_up 0");
  for (const name of named)
    expect(
      after.some((line) => line.startsWith(name)),
      name,
    ).toBe(false);
});
