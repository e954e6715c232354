import { useMutation, useQuery } from "@tanstack/react-query";
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

export function useDecidePhrase(id: string) {
  return useMutation({
    mutationFn: ({ pairId, ...input }: Phrase & { open: boolean }) =>
      call(styleSamplesApi.decide, { params: { id, pairId }, input }),
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
