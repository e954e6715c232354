import { useMutation, useQuery } from "@tanstack/react-query";
import { type StatedSelf, selfPresentationApi } from "#contract/knowledge/self-presentation.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

export const useSelfPresentation = (id: string) => useQuery(queryOf(selfPresentationApi.get, { params: { id } }));

export function useStateSelf(id: string) {
  return useMutation({
    mutationFn: (input: StatedSelf) => call(selfPresentationApi.update, { params: { id }, input }),
    onSuccess: refreshed,
    onError: toastError("Не удалось сохранить"),
  });
}
