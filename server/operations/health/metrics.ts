/** `/metrics` in Prometheus' text format, for clients with METRICS_TOKEN (docs/decisions/014-metrics-alerts-and-traces.md). */
import { createHash, timingSafeEqual } from "node:crypto";
import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge } from "prom-client";
import { usageDay } from "#server/accounts/twins/usage.ts";
import type { Config } from "#server/platform/config.ts";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { modelBudgets } from "#server/platform/db/schema/twins.ts";
import { notFound, unauthorized } from "#server/platform/errors.ts";
import { JOB_RULES } from "#server/platform/jobs/catalogue.ts";
import { busiestTenants, registry } from "#server/platform/process/metrics.ts";
import type { InstallationFacts } from "./facts.ts";
import { withTimeout } from "./in-time.ts";

/** Number of organisations with their own label. */
const TOP = 10;
/** Milliseconds between samples of the event loop's delay; prom-client's 10 ms would wake an idle machine too often. */
const LOOP_PRECISION_MS = 50;

interface MetricsDeps {
  config: Pick<Config, "metricsToken">;
  db: Database;
  facts: () => Promise<InstallationFacts>;
}

export function mountMetrics(app: FastifyInstance, { config, db, facts }: MetricsDeps): void {
  const { metricsToken } = config;
  const gauges = metricsToken === null ? null : openGauges();
  const askTop = withTimeout(() => topByTokens(db));
  app.get("/metrics", async (request, reply) => {
    // Behind a proxy every caller may seem local, so without a token every request is refused.
    if (metricsToken === null || gauges === null) throw notFound();
    if (!isToken(request.headers.authorization, metricsToken)) throw unauthorized("Нужен токен метрик");
    const [found, top] = await Promise.all([facts(), askTop()]);
    gauges.set(found, top ?? []);
    const text = await registry.metrics();
    return reply.type(registry.contentType).header("cache-control", "no-store").send(text);
  });
}

const digest = (text: string) => createHash("sha256").update(text).digest();
const isToken = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`));

/** Returns the organisations that used the most model tokens today; reads one row per organisation. */
async function topByTokens(db: Database): Promise<{ id: string; tokens: number }[]> {
  return asPlatform(db, (tx) =>
    tx
      .select({ id: modelBudgets.orgId, tokens: modelBudgets.tokens })
      .from(modelBudgets)
      .where(sql`${modelBudgets.day} = ${usageDay(new Date())} and ${modelBudgets.tokens} > 0`)
      .orderBy(sql`${modelBudgets.tokens} desc`)
      .limit(TOP),
  );
}

let opened: ReturnType<typeof createGauges> | undefined;
/** One registry serves a process, even if its tests create several apps. */
function openGauges() {
  opened ??= createGauges();
  return opened;
}

function createGauges() {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  const databaseUp = gauge("twins_database_up", "1: the database has answered");
  const databaseSeconds = gauge("twins_database_answer_seconds", "How long the database took for the health queries");
  const connections = gauge("twins_database_connections", "Connections to the database", ["pool", "state"]);
  const writable = gauge("twins_writable", "1: everything can be stored, 0: a disk is full and calls are refused");
  const disk = gauge("twins_disk_bytes", "The disk with DATA_DIR", ["kind"]);
  const waiting = gauge("twins_jobs_waiting", "Jobs that are due, in all processes", ["job"]);
  const running = gauge("twins_jobs_running", "Jobs that are running, in all processes", ["job"]);
  const oldest = gauge("twins_jobs_oldest_seconds", "How long the oldest waiting job has been due", ["job"]);
  const channels = gauge("twins_channels", "Connected accounts by platform and state", ["platform", "state"]);
  const tenants = gauge("twins_tenant_replies", `Replies since the start: the ${TOP} busiest organisations`, [
    "organization",
  ]);
  const backupAge = gauge("twins_backup_age_seconds", "Since the last backup that was made, and the last that failed", [
    "outcome",
  ]);
  const tokens = gauge("twins_tenant_model_tokens_today", `Model tokens today: the ${TOP} busiest organisations`, [
    "organization",
  ]);
  return {
    set(facts: InstallationFacts, top: readonly { id: string; tokens: number }[]): void {
      databaseUp.set(facts.databaseMs === null ? 0 : 1);
      databaseSeconds.set((facts.databaseMs ?? 0) / 1000);
      for (const { pool, max, open, idle, waiting: calls } of facts.connections) {
        for (const [state, count] of Object.entries({ max, open, idle, waiting: calls }))
          connections.set({ pool, state }, count);
      }
      writable.set(facts.unwritable === null ? 1 : 0);
      disk.reset();
      if (facts.disk !== null) {
        disk.set({ kind: "free" }, facts.disk.freeBytes);
        disk.set({ kind: "total" }, facts.disk.totalBytes);
      }
      // While the database is unavailable, its metrics are absent rather than outdated.
      for (const each of [waiting, running, oldest, channels, tenants, tokens, backupAge]) each.reset();
      const { last: made = null, failure: failed = null } = facts.backups ?? {};
      for (const [outcome, one] of Object.entries({ made, failed })) {
        if (one !== null) backupAge.set({ outcome }, (facts.at.getTime() - one.at.getTime()) / 1000);
      }
      if (facts.queues !== null) {
        for (const job of Object.keys(JOB_RULES)) {
          const depth = facts.queues.find(({ name }) => name === job);
          waiting.set({ job }, depth?.waiting ?? 0);
          running.set({ job }, depth?.running ?? 0);
          oldest.set({ job }, (depth?.oldestMs ?? 0) / 1000);
        }
      }
      for (const { platform, state, count } of facts.channels ?? []) channels.set({ platform, state }, count);
      for (const [organization, replies] of busiestTenants(TOP)) tenants.set({ organization }, replies);
      for (const { id, tokens: used } of top) tokens.set({ organization: id }, used);
    },
  };
}
