import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { modelRuleApi } from "#contract/models/model-rule.ts";
import { recordsApi } from "#contract/organizations/records.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";

export const useAccountDeletion = () => useQuery(queryOf(recordsApi.accountDeletion));
export const useOrganizationDeletion = (enabled: boolean) =>
  useQuery({ ...queryOf(recordsApi.organizationDeletion, useOwnOrganization()), enabled });
export const useModelRule = () => useQuery(queryOf(modelRuleApi.get, useOwnOrganization()));

export function useSetModelRule() {
  const address = useOwnOrganization();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (localOnly: boolean) => call(modelRuleApi.set, { ...address, input: { localOnly } }),
    onSuccess: (rule) => client.setQueryData(queryKeyOf(modelRuleApi.get, address), rule),
  });
}
