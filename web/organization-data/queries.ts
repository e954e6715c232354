import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { modelRuleApi } from "#contract/model-rule.ts";
import { recordsApi } from "#contract/records.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { useSession } from "#web/session.tsx";

/** The viewer's own organisation: the screen knows no other. */
export function useAddress() {
  const { user } = useSession();
  return { params: { orgId: user?.organizationId ?? "" } };
}

export const useAccountDeletion = () => useQuery(queryOf(recordsApi.accountDeletion));
export const useOrganizationDeletion = (enabled: boolean) =>
  useQuery({ ...queryOf(recordsApi.organizationDeletion, useAddress()), enabled });
export const useModelRule = () => useQuery(queryOf(modelRuleApi.get, useAddress()));

export function useSetModelRule() {
  const address = useAddress();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (localOnly: boolean) => call(modelRuleApi.set, { ...address, input: { localOnly } }),
    onSuccess: (rule) => client.setQueryData(queryKeyOf(modelRuleApi.get, address), rule),
  });
}
