import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** `attention`: it works, and somebody should look; `failure`: something does not work. */
export const HealthState = z.enum(["ok", "attention", "failure"]);
export type HealthState = z.infer<typeof HealthState>;

/** `process`: memory and event loop of the process that answers; `errors`: its last hour. */
export const HealthFactId = z.enum([
  "database",
  "disk",
  "backup",
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
  /** A Russian sentence without a full stop. */
  summary: z.string(),
  /** Figures, ready to be shown. */
  rows: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type HealthFact = z.infer<typeof HealthFact>;

export const Health = z.object({
  /** When it was read, ISO 8601. */
  at: z.string(),
  /** The gravest of the facts'. */
  state: HealthState,
  facts: z.array(HealthFact),
});
export type Health = z.infer<typeof Health>;

export const healthApi = {
  get: endpoint("GET /api/admin/health", {
    access: "super_admin",
    summary: "Состояние сервера",
    output: Health,
  }),
};
