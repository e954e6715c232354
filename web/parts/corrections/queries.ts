import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import {
  type CorrectedAnswer,
  type CorrectionInput,
  type Corrections,
  type CorrectionUpdate,
  correctionsApi,
  type ProposalInput,
} from "#contract/corrections.ts";
import { versionsApi } from "#contract/versions.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 2000;
/** Test cases are replayed within seconds; after this time the job is waiting behind others. */
const MAX_WATCH_MS = 60_000;

/** @param since time (ms since 1970) of a requested check; polls until a newer result exists */
export function useCorrections(id: string, since: number | null) {
  return useQuery({
    ...queryOf(correctionsApi.list, { params: { id } }),
    refetchInterval: ({ state }) => (isChecking(state.data, since) ? POLL_MS : false),
  });
}

export function isChecking(data: Corrections | undefined, since: number | null): boolean {
  if (since === null || data === undefined || Date.now() - since > MAX_WATCH_MS) return false;
  if (data.failedAt && Date.parse(data.failedAt) > since) return false;
  return data.corrections.some(
    ({ active, case: kept }) =>
      active && kept !== null && (kept.checkedAt === null || Date.parse(kept.checkedAt) < since),
  );
}

export const useVersions = (id: string) => useQuery(queryOf(versionsApi.list, { params: { id } }));

/** @param other null compares with the newest version */
export const useComparison = (id: string, versionId: string, other: string | null) =>
  useQuery(queryOf(versionsApi.compare, { params: { id, versionId }, query: other === null ? {} : { with: other } }));

export function usePropose(id: string) {
  return useMutation({ mutationFn: (input: ProposalInput) => call(correctionsApi.propose, { params: { id }, input }) });
}

/** While a preview is reloading, the previous one stays on the screen. */
export function useCorrectionPreview(id: string, question: string, rewordings: readonly string[]) {
  const input = { question, rewordings: [...rewordings] };
  return useQuery({
    queryKey: ["correction-preview", id, input],
    queryFn: () => call(correctionsApi.preview, { params: { id }, input }),
    enabled: question !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useAccept(id: string) {
  return useMutation({
    mutationFn: (input: CorrectionInput) => call(correctionsApi.accept, { params: { id }, input }),
  });
}

export function useDecline(id: string) {
  return useMutation({
    mutationFn: (from: CorrectedAnswer) => call(correctionsApi.decline, { params: { id }, input: { from } }),
    onError: failed,
  });
}

export function useUpdateCorrection(id: string) {
  return useMutation({
    mutationFn: ({ correctionId, ...input }: CorrectionUpdate & { correctionId: string }) =>
      call(correctionsApi.update, { params: { id, correctionId }, input }),
  });
}

export function useRemoveCorrection(id: string) {
  return useMutation({
    mutationFn: (correctionId: string) => call(correctionsApi.remove, { params: { id, correctionId } }),
    onError: failed,
  });
}

export function useReplay(id: string, onQueued: () => void) {
  return useMutation({
    mutationFn: () => call(correctionsApi.replay, { params: { id } }),
    onSuccess: onQueued,
    onError: failed,
  });
}

export function useRestore(id: string) {
  return useMutation({
    mutationFn: (versionId: string) => call(versionsApi.restore, { params: { id, versionId } }),
    onError: failed,
  });
}

export const failed = toastError("Не удалось сохранить");
