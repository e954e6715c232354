/** Search by meaning through the embeddings of an organisation's own provider. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "../organizations/organization-params.ts";
import { ServerModel } from "./remote-model.ts";

export const RemoteSearch = z.object({
  /** The provider's model that is in use; null: none of it. */
  model: z.nullable(z.string()),
  /** Whether the installation has a model of its own, to which switching back returns; otherwise the twins search by words. */
  ofInstallation: z.boolean(),
  /** Trained twins of the organisation, and those whose knowledge has embeddings of `model`. */
  twins: z.object({ ready: z.number(), all: z.number() }),
  /** Why embeddings are missing, in Russian; null: nothing has failed. */
  error: z.nullable(z.string()),
  /** Tokens of everything that gets an embedding, by its length: what switching on takes, once. */
  tokens: z.number(),
  /** Tokens that one twin may take a day. */
  dailyTokens: z.number(),
});
export type RemoteSearch = z.infer<typeof RemoteSearch>;

export const remoteSearchApi = {
  get: endpoint("GET /api/organizations/:orgId/remote-model/search", {
    access: "org_admin",
    tags: ["organization", "remote-model"],
    summary: "Поиск по смыслу через удалённую модель: включён ли и сколько готово",
    params: OrganizationParams,
    output: RemoteSearch,
  }),
  models: endpoint("GET /api/organizations/:orgId/remote-model/search/models", {
    access: "org_admin",
    tags: ["organization", "remote-model"],
    summary: "Какие модели для поиска называет поставщик",
    params: OrganizationParams,
    output: z.object({ models: z.array(z.string()) }),
  }),
  set: endpoint("PUT /api/organizations/:orgId/remote-model/search", {
    access: "org_admin",
    refreshes: ["remote-model", "model-rule", "twins"],
    summary: "Искать по смыслу через удалённую модель",
    params: OrganizationParams,
    input: z.object({ model: ServerModel.check(z.minLength(1, "Введите название модели")) }),
    output: RemoteSearch,
  }),
  remove: endpoint("DELETE /api/organizations/:orgId/remote-model/search", {
    access: "org_admin",
    refreshes: ["remote-model", "model-rule", "twins"],
    summary: "Больше не искать через удалённую модель: вернуть прежний поиск",
    params: OrganizationParams,
  }),
};
