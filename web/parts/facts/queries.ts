import { keepPreviousData, useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { chatFactsApi, type FactDecision } from "#contract/knowledge/chat-facts.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { useTraining } from "#web/parts/twins/queries.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 3000;

/** Polled while the messages are searched, and refetched when a training has ended, which starts such a search. */
export function useChatFacts(id: string, enabled = true) {
  const running = useTraining(id, enabled).data?.running;
  const query = useQuery({
    ...queryOf(chatFactsApi.list, { params: { id } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.looking ? POLL_MS : false),
    placeholderData: keepPreviousData,
  });
  const { refetch } = query;
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && running === false) void refetch();
    ran.current = running ?? false;
  }, [running, refetch]);
  return query;
}

export const useFactsOf = (ids: readonly string[]) =>
  useQueries({ queries: ids.map((id) => queryOf(chatFactsApi.list, { params: { id } })) });

export type FactDecisionInput = FactDecision & { twinId: string; factId: string };

const failed = toastError("Не удалось сохранить");

/**
 * Makes decisions one after the other, because each locks the twin. Returns the decisions that succeeded: a later failure
 * is shown, and the earlier decisions stay.
 */
export function useDecide() {
  return useMutation({
    mutationFn: async (decisions: readonly FactDecisionInput[]) => {
      const taken: FactDecisionInput[] = [];
      try {
        for (const decision of decisions) {
          const { twinId, factId, ...input } = decision;
          await call(chatFactsApi.decide, { params: { id: twinId, factId }, input });
          taken.push(decision);
        }
      } catch (error) {
        if (taken.length === 0) throw error;
        failed(error);
      }
      return taken;
    },
    onSuccess: refreshed,
    onError: failed,
  });
}
