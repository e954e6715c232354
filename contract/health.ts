import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** `unset`: nobody has set it up, and the server works without it; `attention`: it works, and somebody should look; `failure`: something does not work. */
export const HealthState = z.enum(["ok", "unset", "attention", "failure"]);
export type HealthState = z.infer<typeof HealthState>;

/** All but `database` and `disk` are of the whole installation, however many processes it has. */
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
  /** Nobody has set it up, although the server needs it: alerts are not sent about it. */
  isUnconfigured: z.optional(z.boolean()),
  /** A Russian sentence without a full stop. */
  summary: z.string(),
  /** Figures, ready to be shown. */
  rows: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type HealthFact = z.infer<typeof HealthFact>;

export const ProcessRole = z.enum(["all", "web", "worker"]);
export type ProcessRole = z.infer<typeof ProcessRole>;

/** A process of the installation, as it has told of itself. */
export const HealthProcess = z.object({
  id: z.string(),
  role: ProcessRole,
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  memoryBytes: z.number(),
  /** Of its event loop, ms. */
  delayMs: z.number(),
  state: HealthState,
  /** Seconds since it told anything, where that is too long; null: it tells. */
  silentSeconds: z.nullable(z.number()),
  /** Whether it is the one that has answered. */
  answers: z.boolean(),
});
export type HealthProcess = z.infer<typeof HealthProcess>;

/** A way in which the operator is notified of problems. */
export const AlertWay = z.enum(["mail", "telegram"]);
export type AlertWay = z.infer<typeof AlertWay>;

export const Health = z.object({
  /** When it was read, ISO 8601. */
  at: z.string(),
  /** The gravest of the facts'; what is not set up leaves the rest in order. */
  state: HealthState,
  facts: z.array(HealthFact),
  /** The one that answers is always among them. */
  processes: z.array(HealthProcess),
  /** The ways that the settings name; empty: no notifications. */
  alertWays: z.array(AlertWay),
});
export type Health = z.infer<typeof Health>;

/** The result of a test alert on one way. */
export const AlertTest = z.object({
  way: AlertWay,
  /** A Russian sentence why it was not sent; null: it was. */
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
