import { useMutation, useQuery } from "@tanstack/react-query";
import { type Act, toolActsApi } from "#contract/actions/acts.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshAfter, refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

/**
 * Acts that wait for a decision, and those that must be checked; the newest first.
 * @param refetchInterval in milliseconds
 */
export const useOpenActs = (refetchInterval: number) =>
  useQuery({ ...queryOf(toolActsApi.list, { query: { show: "open" } }), refetchInterval });

/** The owner's own words, which the customer gets. The list is read again after a failure too. */
export const useAnswerAct = () =>
  useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }): Promise<Act> =>
      call(toolActsApi.answer, { params: { id }, input: { text } }),
    onSuccess: refreshed,
    onError: (error) => {
      refreshAfter(toolActsApi.answer);
      toastError("Не удалось ответить")(error);
    },
  });

export type ActDecision = "approve" | "reject" | "done" | "undone";

/** Decides on one act. The list is read again after a failure too, because a colleague may have decided in the meantime. */
export const useDecideAct = () =>
  useMutation({
    mutationFn: ({ id, decision }: { id: string; decision: ActDecision }): Promise<Act> => {
      const params = { id };
      if (decision === "approve") return call(toolActsApi.approve, { params });
      if (decision === "reject") return call(toolActsApi.reject, { params });
      return call(toolActsApi.settle, { params, input: { done: decision === "done" } });
    },
    onSuccess: refreshed,
    onError: (error) => {
      refreshAfter(toolActsApi.approve);
      toastError("Не удалось")(error);
    },
  });
