import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "../organizations/organization-params.ts";

/** A model that the operator has configured. `local`: runs on a host declared as local; `host` null: runs on this server. */
const SetUpModel = z.nullable(z.object({ host: z.nullable(z.string()), local: z.boolean() }));

export const ModelRule = z.object({
  localOnly: z.boolean(),
  /** The configured model that writes replies unless the rule forbids it; null means the extractive reader. */
  model: SetUpModel,
  /** The configured embedding model; null means search by words. */
  search: SetUpModel,
  engine: z.enum(["embedded", "llm"]),
});
export type ModelRule = z.infer<typeof ModelRule>;

export const modelRuleApi = {
  get: endpoint("GET /api/organizations/:orgId/model-rule", {
    access: "signed-in",
    tags: ["organization", "model-rule"],
    summary: "Правило «только локальная модель» и кто сейчас пишет ответы",
    params: OrganizationParams,
    output: ModelRule,
  }),
  set: endpoint("PUT /api/organizations/:orgId/model-rule", {
    access: "org_admin",
    refreshes: ["model-rule"],
    summary: "Включить или выключить правило «только локальная модель»",
    params: OrganizationParams,
    input: z.object({ localOnly: z.boolean("Ожидалось true или false") }),
    output: ModelRule,
  }),
};
