import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { OrganizationParams } from "./organizations.ts";

/** A model as the operator has set it up; `local`: it stands on a machine that he calls his own; host null: on the server itself. */
const SetUpModel = z.nullable(z.object({ host: z.nullable(z.string()), local: z.boolean() }));

export const ModelRule = z.object({
  localOnly: z.boolean(),
  /** What writes replies where the rule does not forbid it; null: the embedded engine. */
  model: SetUpModel,
  /** What searches by meaning; null: search goes by words. */
  search: SetUpModel,
  /** What writes this organisation's replies now. */
  engine: z.enum(["embedded", "llm"]),
});
export type ModelRule = z.infer<typeof ModelRule>;

export const modelRuleApi = {
  get: endpoint("GET /api/organizations/:orgId/model-rule", {
    access: "signed-in",
    summary: "Правило «только локальная модель» и кто сейчас пишет ответы",
    params: OrganizationParams,
    output: ModelRule,
  }),
  set: endpoint("PUT /api/organizations/:orgId/model-rule", {
    access: "org_admin",
    summary: "Включить или выключить правило «только локальная модель»",
    params: OrganizationParams,
    input: z.object({ localOnly: z.boolean("Ожидалось true или false") }),
    output: ModelRule,
  }),
};
