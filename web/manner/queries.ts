import { useMutation, useQuery } from "@tanstack/react-query";
import { openRepliesApi } from "#contract/knowledge/open-replies.ts";
import { type Phrase, styleSamplesApi, type WrittenSample } from "#contract/knowledge/style-samples.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const onError = toastError("Не удалось сохранить");

export const useStyleSamples = (id: string) => useQuery(queryOf(styleSamplesApi.list, { params: { id } }));

export function useWriteSample(id: string) {
  return useMutation({
    mutationFn: (input: WrittenSample) => call(styleSamplesApi.write, { params: { id }, input }),
    onSuccess: refreshed,
    onError,
  });
}

/** What a phrase is opened as: a sample of the owner's manner, an answer to its question, both; neither: it is not proposed again. */
interface PhraseDecision {
  phrase: Phrase;
  manner: boolean;
  fact: boolean;
}

export function useDecidePhrase(id: string) {
  return useMutation({
    mutationFn: async ({ phrase: { pairId, text, question }, manner, fact }: PhraseDecision) => {
      const input = { pairId, question: question ?? "", reply: text };
      const reply = fact ? await call(openRepliesApi.open, { params: { id }, input }) : null;
      try {
        const sample = await call(styleSamplesApi.decide, { params: { id, pairId }, input: { open: manner, text } });
        return { sampleId: sample?.id ?? null, replyId: reply?.id ?? null };
      } catch (error) {
        // The owner sees one failure and decides once more.
        if (reply !== null) await call(openRepliesApi.remove, { params: { id, replyId: reply.id } });
        throw error;
      }
    },
    onSuccess: refreshed,
    onError,
  });
}

/** Takes back a phrase that was opened. */
export function useClosePhrase(id: string) {
  return useMutation({
    mutationFn: async ({ sampleId, replyId }: { sampleId: string | null; replyId: string | null }) => {
      if (replyId !== null) await call(openRepliesApi.remove, { params: { id, replyId } });
      if (sampleId !== null) await call(styleSamplesApi.remove, { params: { id, sampleId } });
    },
    onSuccess: refreshed,
    onError,
  });
}

export function useSetSampleOpen(id: string) {
  return useMutation({
    mutationFn: ({ sampleId, open }: { sampleId: string; open: boolean }) =>
      call(styleSamplesApi.update, { params: { id, sampleId }, input: { open } }),
    onSuccess: refreshed,
    onError,
  });
}

export function useRemoveSample(id: string) {
  return useMutation({
    mutationFn: (sampleId: string) => call(styleSamplesApi.remove, { params: { id, sampleId } }),
    onSuccess: refreshed,
    onError,
  });
}
