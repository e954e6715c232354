import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** `unset`: optional and not configured; `attention`: works but needs a look; `failure`: does not work. */
export const HealthState = z.enum(["ok", "unset", "attention", "failure"]);
export type HealthState = z.infer<typeof HealthState>;

/** Subjects of health facts. All but `database` and `disk` describe the whole installation, not a single process. */
export const HealthFactId = z.enum([
  "database",
  "disk",
  "backup",
  "letters",
  "queues",
  "channels",
  "model",
  "process",
  "errors",
  "server",
]);
export type HealthFactId = z.infer<typeof HealthFactId>;

export const HealthFact = z.object({
  id: HealthFactId,
  title: z.string(),
  state: HealthState,
  /** Whether a required part is not configured. No alerts are sent about it. */
  isUnconfigured: z.optional(z.boolean()),
  /** A Russian sentence without a full stop. */
  summary: z.string(),
  rows: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type HealthFact = z.infer<typeof HealthFact>;

export const ProcessRole = z.enum(["all", "web", "worker"]);
export type ProcessRole = z.infer<typeof ProcessRole>;

export const HealthProcess = z.object({
  id: z.string(),
  role: ProcessRole,
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: z.string(),
  memoryBytes: z.number(),
  /** Delay of the process's event loop in milliseconds. */
  delayMs: z.number(),
  state: HealthState,
  /** Seconds since the process last reported, when that is too long; null while it reports regularly. */
  silentSeconds: z.nullable(z.number()),
  answers: z.boolean(),
});
export type HealthProcess = z.infer<typeof HealthProcess>;

export const AlertWay = z.enum(["mail", "telegram"]);
export type AlertWay = z.infer<typeof AlertWay>;

export const Health = z.object({
  at: z.string(),
  /** The most severe state of all facts; facts that are not configured count as healthy. */
  state: HealthState,
  facts: z.array(HealthFact),
  /** Includes at least the process that served the response. */
  processes: z.array(HealthProcess),
  /** Alert channels that the settings name; empty when alerts are off. */
  alertWays: z.array(AlertWay),
});
export type Health = z.infer<typeof Health>;

export const AlertTest = z.object({
  way: AlertWay,
  /** Why the test alert was not sent, as a Russian sentence; null on success. */
  failure: z.nullable(z.string()),
});
export type AlertTest = z.infer<typeof AlertTest>;

export const healthApi = {
  get: endpoint("GET /api/admin/health", {
    access: "super_admin",
    summary: "Состояние сервера",
    output: Health,
  }),
  testAlerts: endpoint("POST /api/admin/health/alerts/test", {
    access: "super_admin",
    summary: "Отправить проверочное уведомление",
    output: z.array(AlertTest),
    refreshes: "nothing",
  }),
};
