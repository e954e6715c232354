import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Approval, approvalsApi } from "#contract/approvals.ts";
import { conversationsApi } from "#contract/conversations.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { usePolling } from "#web/live/live.ts";

export function useApprovals(enabled: boolean) {
  return useQuery({ ...queryOf(approvalsApi.list), enabled, refetchInterval: usePolling() });
}

/** What of one dialogue waits, is on its way or has not arrived. */
export function useAnswers(conversationId: string) {
  return useQuery({
    ...queryOf(approvalsApi.ofConversation, { params: { id: conversationId } }),
    refetchOnMount: "always",
    refetchInterval: usePolling(),
  });
}

/** What was decided is gone from the queue, and shows in its dialogue. */
function useDecision<Input, Answer>(decide: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeyOf(approvalsApi.list, {}) });
      void client.invalidateQueries({ queryKey: queryKeyOf(approvalsApi.count, {}) });
      void client.invalidateQueries({ queryKey: queryKeyOf(conversationsApi.list, {}) });
    },
  });
}

/** A draft can be taken back for a few seconds. */
export const useApprove = () =>
  useDecision(({ id, state, teaches }: Pick<Approval, "id" | "state"> & { teaches: boolean }) =>
    call(approvalsApi.approve, {
      params: { id },
      ...(state === "draft" ? { query: { undo: "1" as const, ...(teaches ? { teach: "1" as const } : {}) } } : {}),
    }),
  );
export const useUndo = () => useDecision((id: string) => call(approvalsApi.undo, { params: { id } }));
export const useReject = () => useDecision((id: string) => call(approvalsApi.reject, { params: { id } }));
export const useEditDraft = () =>
  useDecision(({ id, text }: { id: string; text: string }) =>
    call(approvalsApi.edit, { params: { id }, input: { text } }),
  );

/** The owner's own words; the key makes one message of however many tries. */
export const useWrite = (conversationId: string) =>
  useDecision(({ text, key }: { text: string; key: string }) =>
    call(approvalsApi.write, {
      params: { id: conversationId },
      input: { text },
      headers: { "idempotency-key": key },
    }),
  );

/** `undefined`: as long as a word of the owner silences the twin; null: until it is given back. */
export const usePause = (id: string) =>
  useDecision((until: string | null | undefined) =>
    call(approvalsApi.pause, { params: { id }, input: until === undefined ? undefined : { until } }),
  );
export const useResume = (id: string) => useDecision(() => call(approvalsApi.resume, { params: { id } }));
