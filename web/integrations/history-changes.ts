import type { QueryClient } from "@tanstack/react-query";
import { analyticsApi } from "#contract/analytics.ts";
import { knowledgeBaseApi } from "#contract/knowledge-base.ts";
import { twinsApi } from "#contract/twins.ts";
import { queryKeyOf } from "#web/api.ts";
import { invalidate, invalidateIntegrations } from "./queries.ts";

const historyKeys = [knowledgeBaseApi.stats, knowledgeBaseApi.sources, knowledgeBaseApi.messages].map((list) =>
  queryKeyOf(list, {}),
);

/** After an import: messages, a twin that learns from them, and what the integration says of itself. */
export async function invalidateHistory(client: QueryClient) {
  const others = [queryKeyOf(twinsApi.list, {}), queryKeyOf(analyticsApi.dashboard, {})];
  await Promise.all([invalidateIntegrations(client), invalidate(client, ...historyKeys, ...others)]);
}
