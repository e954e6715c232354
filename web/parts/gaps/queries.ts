import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type GapDecision, type GapState, gapsApi } from "#contract/gaps.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 2000;

/** Polled while an answer is being sent to the askers. */
export const useGaps = (id: string, state: GapState) =>
  useQuery({
    ...queryOf(gapsApi.list, { params: { id }, query: { state } }),
    refetchInterval: ({ state }) => (state.data?.working ? POLL_MS : false),
    placeholderData: keepPreviousData,
  });

export const useGapCount = (id: string, enabled: boolean) =>
  useQuery({ ...queryOf(gapsApi.count, { params: { id } }), enabled });

export function useDecideGap(id: string) {
  return useMutation({
    mutationFn: ({ gapId, ...input }: GapDecision & { gapId: string }) =>
      call(gapsApi.decide, { params: { id, gapId }, input }),
    onSuccess: refreshed,
    onError: toastError("Не удалось сохранить"),
  });
}

export function useSplitGap(id: string) {
  return useMutation({
    mutationFn: ({ gapId, questionId }: { gapId: string; questionId: string }) =>
      call(gapsApi.split, { params: { id, gapId }, input: { questionId } }),
    onSuccess: refreshed,
    onError: toastError("Не удалось отделить вопрос"),
  });
}
