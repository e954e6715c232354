import { useMutation, useQuery } from "@tanstack/react-query";
import { CRM_NAMES, type CrmChoice, type CrmCode, type CrmSignIn, crmApi } from "#contract/integrations/crm.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** Polling interval, because contacts and deals are created in the background. */
const POLL_MS = 10_000;

export const useCrm = () => useQuery({ ...queryOf(crmApi.overview), refetchInterval: POLL_MS });

/** @returns URL of the CRM's sign-in page */
export const useCrmSignIn = () => useMutation({ mutationFn: (input: CrmSignIn) => call(crmApi.signIn, { input }) });

export function useCompleteCrm() {
  return useMutation({
    mutationFn: (input: CrmCode) => call(crmApi.complete, { input }),
    onSuccess: ({ system, host }) => toast({ title: `${CRM_NAMES[system]} подключена`, description: host }),
  });
}

export function useRemoveCrm() {
  return useMutation({
    mutationFn: (id: string) => call(crmApi.remove, { params: { id } }),
    onSuccess: () => toast({ title: "CRM отключена", description: "Её ключи уничтожены" }),
    onError: toastRefusal("CRM не отключена", "Повторите через минуту"),
  });
}

export function useChooseCrm() {
  return useMutation({
    mutationFn: ({ twinId, ...input }: CrmChoice & { twinId: string }) =>
      call(crmApi.choose, { params: { id: twinId }, input }),
    onError: toastRefusal("Выбор не сохранён", "Повторите через минуту"),
  });
}
