import { useMutation, useQuery } from "@tanstack/react-query";
import { type Approval, approvalsApi } from "#contract/conversations/approvals.ts";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { styleSamplesApi } from "#contract/knowledge/style-samples.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshAfter, refreshed } from "#web/api/refresh.ts";
import { usePolling } from "#web/parts/live/live.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

/** `polls`: whether to poll the queue while no stream reports changes. */
export function useApprovals(enabled: boolean, polls = true) {
  const interval = usePolling();
  return useQuery({ ...queryOf(approvalsApi.list), enabled, refetchInterval: polls && interval });
}

export function useAnswers(conversationId: string, enabled = true) {
  return useQuery({
    ...queryOf(approvalsApi.ofConversation, { params: { id: conversationId } }),
    enabled,
    refetchOnMount: "always",
    refetchInterval: usePolling(),
  });
}

/** Refetches the queue and the conversation after a failure too: a colleague may have decided in the meantime. */
const useDecision = <Input, Answer>(decide: (input: Input) => Promise<Answer>) =>
  useMutation({ mutationFn: decide, onError: () => refreshAfter(approvalsApi.approve) });

/** An approval can be undone for a few seconds. */
export const useApprove = () =>
  useDecision(({ id, state, teach }: Pick<Approval, "id" | "state"> & { teach: CorrectionScope | undefined }) =>
    call(approvalsApi.approve, {
      params: { id },
      ...(state === "draft" ? { query: { undo: "1" as const, ...(teach === undefined ? {} : { teach }) } } : {}),
    }),
  );
/** Makes a draft that the owner rewrote a sample of his manner, which every conversation's prompt holds, with personal data masked. */
export const useOpenAsSample = (twinId: string) =>
  useMutation({
    mutationFn: (answerId: string) => call(styleSamplesApi.openAnswer, { params: { id: twinId, answerId } }),
    onSuccess: refreshed,
    onError: toastError("Не удалось сохранить образец манеры"),
  });

export const useUndo = () => useDecision((id: string) => call(approvalsApi.undo, { params: { id } }));
export const useReject = () => useDecision((id: string) => call(approvalsApi.reject, { params: { id } }));
export const useEditDraft = () =>
  useDecision(({ id, text }: { id: string; text: string }) =>
    call(approvalsApi.edit, { params: { id }, input: { text } }),
  );

/** Sends the owner's own message; the idempotency key prevents duplicates on retries. */
export const useWrite = (conversationId: string) =>
  useDecision(({ text, key }: { text: string; key: string }) =>
    call(approvalsApi.write, {
      params: { id: conversationId },
      input: { text },
      headers: { "idempotency-key": key },
    }),
  );

/** Takes over the conversation. undefined: for the default time; null: until the takeover is ended. */
export const usePause = (id: string) =>
  useDecision((until: string | null | undefined) =>
    call(approvalsApi.pause, { params: { id }, input: until === undefined ? undefined : { until } }),
  );
export const useResume = (id: string) => useDecision(() => call(approvalsApi.resume, { params: { id } }));
