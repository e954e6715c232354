import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { conversationsApi, type FeedbackInput } from "#contract/conversations/conversations.ts";
import { type FirstAnswerInput, firstAnswerApi } from "#contract/conversations/first-answer.ts";
import { ENDED } from "#contract/tags.ts";
import { type TrainingState, twinsApi } from "#contract/twins.ts";
import { codeOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refresh } from "#web/api/refresh.ts";

const POLL_MS = 1000;

/**
 * Polls the twin's training every second until the twin is ready. `settled`: a read after `since`, when the import was seen to end,
 * showed no running job. The import's end and the request for a training are one transaction on the server.
 */
export function useTrainingUntilReady(twinId: string, since: number) {
  const ready = (state: TrainingState | undefined) => state?.status === "ready" && !state.running;
  const query = useQuery({
    ...queryOf(twinsApi.training, { params: { id: twinId } }),
    refetchInterval: ({ state }) => (ready(state.data) && state.dataUpdatedAt > since ? false : POLL_MS),
    refetchOnMount: "always",
  });
  const settled = query.data !== undefined && !query.data.running && query.dataUpdatedAt > since;
  const done = settled && ready(query.data);
  const told = useRef(false);
  useEffect(() => {
    if (!done || told.current) return;
    told.current = true;
    refresh({ tags: ENDED.training });
  }, [done]);
  return { ...query, settled };
}

export const firstAnswerKey = (twinId: string, pairId: string) => ["first-answer", twinId, pairId];

export async function askFirst(twinId: string, input: FirstAnswerInput, signal?: AbortSignal) {
  return call(firstAnswerApi.create, { params: { id: twinId }, input, ...(signal ? { signal } : {}) });
}

/** Loads the pair in the URL with its answer; without one, the pair that the twin answers best. */
export function useFirstAnswer(twinId: string, pairId: string, enabled: boolean) {
  const client = useQueryClient();
  return useQuery({
    queryKey: firstAnswerKey(twinId, pairId),
    queryFn: async ({ signal }) => {
      const answer = await askFirst(twinId, pairId ? { show: "this", pairId } : { show: "first" }, signal);
      if (answer.pair) client.setQueryData(firstAnswerKey(twinId, answer.pair.id), answer);
      return answer;
    },
    enabled,
    // Without a pair in the URL each request returns another question, so nothing is cached.
    ...(pairId ? {} : { gcTime: 0 }),
  });
}

export function useNextAnswer(twinId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ pairId, conversationId }: { pairId: string; conversationId: string }) =>
      askInTestChat(conversationId, (chat) => askFirst(twinId, { show: "next", pairId, ...chat })),
    onSuccess: (answer) => {
      if (answer.pair) client.setQueryData(firstAnswerKey(twinId, answer.pair.id), answer);
    },
  });
}

export function useLiveAnswer(twinId: string) {
  return useMutation({
    mutationFn: ({ message, conversationId }: { message: string; conversationId: string }) =>
      askInTestChat(conversationId, (chat) => call(conversationsApi.generate, { input: { twinId, message, ...chat } })),
  });
}

/** Asks in the existing test chat, or in a new one if that was closed or deleted in the meantime. */
export async function askInTestChat<T>(
  conversationId: string,
  ask: (chat: { conversationId?: string }) => Promise<T>,
): Promise<T> {
  if (conversationId === "") return ask({});
  try {
    return await ask({ conversationId });
  } catch (error) {
    const code = codeOf(error);
    if (code !== "conversation_closed" && code !== "conversation_not_found") throw error;
    return ask({});
  }
}

/** Returns the answer to be rated, its question, and earlier feedback. */
export function useExchange(conversationId: string, replyId: string) {
  return useQuery({
    ...queryOf(conversationsApi.messages, { params: { id: conversationId } }),
    enabled: conversationId !== "" && replyId !== "",
    refetchOnMount: "always",
    select: (messages) => {
      const at = messages.findIndex(({ id }) => id === replyId);
      const answer = messages[at];
      if (answer === undefined || answer.role !== "assistant") return null;
      const { content, feedback, sources, confidence, basis = "smalltalk", replyExamples = [] } = answer;
      const origin = { sources, confidence, basis, replyExamples };
      return { question: messages[at - 1]?.content ?? "", answer: content, feedback, origin };
    },
  });
}

export function useRateAnswer(replyId: string) {
  return useMutation({
    mutationFn: (input: FeedbackInput) => call(conversationsApi.feedback, { params: { id: replyId }, input }),
  });
}
