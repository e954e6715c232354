/** How many tokens of the language model may be spent in a day of Moscow's, and how many are. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { OrganizationParams } from "./organizations.ts";
import { IdParams } from "./twins.ts";

/** Less would not pay for a few answers. */
export const LEAST_DAILY_TOKENS = 50_000;
/** Percent of the limit: from here on the screens warn. */
export const BUDGET_WARNING_PERCENT = 80;

export const DayBudget = z.object({
  /** Tokens that count today. */
  limit: z.number(),
  /** As it was set; null: what the server gives. */
  own: z.nullable(z.number()),
  /** The most that may be set. */
  most: z.number(),
  /** Taken today, what is being answered now included. */
  used: z.number(),
});
export type DayBudget = z.infer<typeof DayBudget>;

/** null where no language model is set up: the embedded engine costs nothing. */
export const ModelBudget = z.object({ budget: z.nullable(DayBudget) });
export type ModelBudget = z.infer<typeof ModelBudget>;

export const ModelBudgetInput = z.object({
  /** 0: what the server gives. */
  dailyTokens: z.int("Введите целое число").check(
    z.refine(
      (tokens) => tokens === 0 || tokens >= LEAST_DAILY_TOKENS,
      `Не меньше ${LEAST_DAILY_TOKENS.toLocaleString("ru-RU")}`,
    ),
    z.lte(1_000_000_000_000, "Слишком большое число"),
  ),
});
export type ModelBudgetInput = z.infer<typeof ModelBudgetInput>;

export const modelBudgetApi = {
  organization: endpoint("GET /api/organizations/:orgId/model-budget", {
    access: "signed-in",
    summary: "Дневной лимит токенов организации и сколько израсходовано сегодня",
    params: OrganizationParams,
    output: ModelBudget,
  }),
  setOrganization: endpoint("PUT /api/organizations/:orgId/model-budget", {
    access: "org_admin",
    summary: "Задать дневной лимит токенов организации",
    params: OrganizationParams,
    input: ModelBudgetInput,
    output: ModelBudget,
  }),
  twin: endpoint("GET /api/digital-twins/:id/model-budget", {
    access: "signed-in",
    summary: "Дневной лимит токенов двойника и сколько израсходовано сегодня",
    params: IdParams,
    output: ModelBudget,
  }),
  setTwin: endpoint("PUT /api/digital-twins/:id/model-budget", {
    access: "editor",
    summary: "Задать дневной лимит токенов двойника",
    params: IdParams,
    input: ModelBudgetInput,
    output: ModelBudget,
  }),
};
