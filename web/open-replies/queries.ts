import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type OpenInput, openRepliesApi } from "#contract/knowledge/open-replies.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

/** @param words search words; "" returns everything */
export const useOpenReplies = (id: string, words: string) =>
  useQuery({
    ...queryOf(openRepliesApi.list, { params: { id }, query: words === "" ? {} : { q: words } }),
    placeholderData: keepPreviousData,
  });

export function useOpen(id: string) {
  return useMutation({
    mutationFn: (input: OpenInput) => call(openRepliesApi.open, { params: { id }, input }),
    onSuccess: refreshed,
  });
}

export function useSetOpen(id: string) {
  return useMutation({
    mutationFn: ({ replyId, open }: { replyId: string; open: boolean }) =>
      call(openRepliesApi.update, { params: { id, replyId }, input: { open } }),
    onSuccess: refreshed,
    onError: toastSaveFailure,
  });
}

export function useUnopen(id: string) {
  return useMutation({
    mutationFn: (replyId: string) => call(openRepliesApi.remove, { params: { id, replyId } }),
    onSuccess: refreshed,
    onError: toastSaveFailure,
  });
}

export function useSkip(id: string) {
  return useMutation({
    mutationFn: ({ proposalId, skipped }: { proposalId: string; skipped: boolean }) =>
      call(openRepliesApi.decide, { params: { id, proposalId }, input: { skipped } }),
    onSuccess: refreshed,
    onError: toastSaveFailure,
  });
}

export const toastSaveFailure = toastError("Не удалось сохранить");
