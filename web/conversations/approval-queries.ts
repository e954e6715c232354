import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { approvalsApi } from "#contract/approvals.ts";
import { conversationsApi } from "#contract/conversations.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";

/** Contacts write at any time: while the tab is looked at, it asks again. */
const LOOK_MS = 5_000;

export function useApprovals(enabled: boolean) {
  return useQuery({ ...queryOf(approvalsApi.list), enabled, refetchInterval: LOOK_MS });
}

/** What was decided is gone from the queue, and shows in its dialogue. */
function useDecision<Input>(decide: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeyOf(approvalsApi.list, {}) });
      void client.invalidateQueries({ queryKey: queryKeyOf(conversationsApi.list, {}) });
    },
  });
}

export const useApprove = () => useDecision((id: string) => call(approvalsApi.approve, { params: { id } }));
export const useReject = () => useDecision((id: string) => call(approvalsApi.reject, { params: { id } }));
export const useEditDraft = () =>
  useDecision(({ id, text }: { id: string; text: string }) =>
    call(approvalsApi.edit, { params: { id }, input: { text } }),
  );

/** true: the owner speaks himself from now on; false: the twin does. */
export const useTakeover = (id: string) =>
  useDecision((mine: boolean) =>
    mine
      ? call(approvalsApi.pause, { params: { id }, input: undefined })
      : call(approvalsApi.resume, { params: { id } }),
  );
