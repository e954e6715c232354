import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ModelBudgetInput, modelBudgetApi } from "#contract/models/model-budget.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";

export interface BudgetOf {
  kind: "twin" | "organization";
  id: string;
}

const read = ({ kind, id }: BudgetOf) =>
  kind === "twin"
    ? queryOf(modelBudgetApi.twin, { params: { id } })
    : queryOf(modelBudgetApi.organization, { params: { orgId: id } });

/** Polling interval, because usage grows while the screen is open. */
const REFRESH_MS = 30_000;

export const useModelBudget = (of: BudgetOf) => useQuery({ ...read(of), refetchInterval: REFRESH_MS });

export function useSetModelBudget(of: BudgetOf) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: ModelBudgetInput) =>
      of.kind === "twin"
        ? call(modelBudgetApi.setTwin, { params: { id: of.id }, input })
        : call(modelBudgetApi.setOrganization, { params: { orgId: of.id }, input }),
    onSuccess: (budget) => client.setQueryData(read(of).queryKey, budget),
  });
}
