import { useMutation, useQuery } from "@tanstack/react-query";
import { type BlindAnswers, type FidelityMeasure, qualityApi, type TwinQuality } from "#contract/quality.ts";
import { trainingPairsApi } from "#contract/training-pairs.ts";
import { call, send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { saveFile } from "#web/files/save-file.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 3000;
/** A measurement takes seconds; after this time the job is waiting behind others. */
const MAX_WATCH_MS = 90_000;

/** @param since time (ms since 1970) of a requested measurement; polls until a newer one exists */
export function useQuality(id: string, since: number | null) {
  return useQuery({
    ...queryOf(qualityApi.get, { params: { id } }),
    refetchInterval: ({ state }) => (isAwaited(state.data, since) ? POLL_MS : false),
  });
}

export function isAwaited(data: TwinQuality | undefined, since: number | null): boolean {
  if (since === null || Date.now() - since > MAX_WATCH_MS) return false;
  if (data?.failedAt && Date.parse(data.failedAt) > since) return false;
  const isOld = (measure: FidelityMeasure | null | undefined) => !measure || Date.parse(measure.measuredAt) < since;
  if (isOld(data?.measure)) return true;
  return data?.measure?.figures != null && isOld(data.strangers);
}

export function useMeasure(id: string, onQueued: () => void) {
  return useMutation({
    mutationFn: () => call(qualityApi.measure, { params: { id } }),
    onSuccess: onQueued,
    onError: toastError("Не удалось начать измерение"),
  });
}

export function useBlindTest(id: string) {
  return useMutation({ mutationFn: () => call(qualityApi.blindTest, { params: { id } }) });
}

export function useBlindAnswers(id: string) {
  return useMutation({
    mutationFn: (input: BlindAnswers) => call(qualityApi.answerBlindTest, { params: { id }, input }),
  });
}

export const useTrainingPairs = (id: string) =>
  useMutation({
    mutationFn: async () => saveFile(await send(trainingPairsApi.download, { params: { id } }), "training-pairs.zip"),
    onError: toastError("Не удалось скачать пары"),
  });
