/** Daily limits (Moscow time) of language model tokens, and their usage. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "../organizations/organization-params.ts";
import { IdParams } from "../twins.ts";

/** Background work may use at most this share of a day's limit; the rest is for people who wait for an answer. */
export const BACKGROUND_SHARE = 0.5;

/** The smallest limit that can be set; a lower one would not suffice for a few answers. */
export const MIN_DAILY_TOKENS = 50_000;
export const BUDGET_WARNING_PERCENT = 80;

export const DayBudget = z.object({
  limit: z.number(),
  own: z.nullable(z.number()),
  most: z.number(),
  /** Tokens used today, including those reserved for answers in progress. */
  used: z.number(),
});
export type DayBudget = z.infer<typeof DayBudget>;

/** null where no language model is configured, because the extractive reader costs nothing. */
export const ModelBudget = z.object({ budget: z.nullable(DayBudget) });
export type ModelBudget = z.infer<typeof ModelBudget>;

export const ModelBudgetInput = z.object({
  /** 0 restores the server's default. */
  dailyTokens: z.int("Введите целое число").check(
    z.refine(
      (tokens) => tokens === 0 || tokens >= MIN_DAILY_TOKENS,
      `Не меньше ${MIN_DAILY_TOKENS.toLocaleString("ru-RU")}`,
    ),
    z.lte(1_000_000_000_000, "Слишком большое число"),
  ),
});
export type ModelBudgetInput = z.infer<typeof ModelBudgetInput>;

export const modelBudgetApi = {
  organization: endpoint("GET /api/organizations/:orgId/model-budget", {
    access: "signed-in",
    tags: ["organization", "model-budget"],
    summary: "Дневной лимит токенов организации и сколько израсходовано сегодня",
    params: OrganizationParams,
    output: ModelBudget,
  }),
  setOrganization: endpoint("PUT /api/organizations/:orgId/model-budget", {
    access: "org_admin",
    refreshes: ["model-budget", "activity"],
    summary: "Задать дневной лимит токенов организации",
    params: OrganizationParams,
    input: ModelBudgetInput,
    output: ModelBudget,
  }),
  twin: endpoint("GET /api/digital-twins/:id/model-budget", {
    access: "signed-in",
    tags: ["twins", "model-budget"],
    summary: "Дневной лимит токенов двойника и сколько израсходовано сегодня",
    params: IdParams,
    output: ModelBudget,
  }),
  setTwin: endpoint("PUT /api/digital-twins/:id/model-budget", {
    access: "editor",
    refreshes: ["model-budget", "activity"],
    summary: "Задать дневной лимит токенов двойника",
    params: IdParams,
    input: ModelBudgetInput,
    output: ModelBudget,
  }),
};
