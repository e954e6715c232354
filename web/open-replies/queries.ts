import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type OpenInput, openRepliesApi } from "#contract/open-replies.ts";
import { call, messageOf, queryOf } from "#web/api.ts";
import { queryClient } from "#web/query-client.ts";
import { toast } from "#web/ui/toast.ts";

/** @param words what is looked for; "": everything */
export const useOpenReplies = (id: string, words: string) =>
  useQuery({
    ...queryOf(openRepliesApi.list, { params: { id }, query: words === "" ? {} : { q: words } }),
    placeholderData: keepPreviousData,
  });

export function useOpen(id: string) {
  return useMutation({
    mutationFn: (input: OpenInput) => call(openRepliesApi.open, { params: { id }, input }),
    onSuccess: changed,
  });
}

export function useSetOpen(id: string) {
  return useMutation({
    mutationFn: ({ replyId, open }: { replyId: string; open: boolean }) =>
      call(openRepliesApi.update, { params: { id, replyId }, input: { open } }),
    onSuccess: changed,
    onError: failed,
  });
}

/** Takes an opening back, as if it had not been. */
export function useUnopen(id: string) {
  return useMutation({
    mutationFn: (replyId: string) => call(openRepliesApi.remove, { params: { id, replyId } }),
    onSuccess: changed,
    onError: failed,
  });
}

export function useSkip(id: string) {
  return useMutation({
    mutationFn: ({ proposalId, skipped }: { proposalId: string; skipped: boolean }) =>
      call(openRepliesApi.decide, { params: { id, proposalId }, input: { skipped } }),
    onSuccess: changed,
    onError: failed,
  });
}

const changed = () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("open-replies") });

export const failed = (error: unknown) =>
  toast({ title: "Не удалось сохранить", description: messageOf(error), variant: "destructive" });
