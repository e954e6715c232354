import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import {
  type CorrectedAnswer,
  type Corrections,
  type CorrectionUpdate,
  correctionsApi,
  type LessonInput,
  type ProposalInput,
} from "#contract/corrections.ts";
import { versionsApi } from "#contract/versions.ts";
import { call, messageOf, queryOf } from "#web/api.ts";
import { queryClient } from "#web/query-client.ts";
import { toast } from "#web/ui/toast.ts";

const POLL_MS = 2000;
/** Cases are asked in seconds; when nothing has come by then, the job waits behind others. */
const WATCHED_MS = 60_000;

/** @param since the asked-for check is newer than that (ms since 1970): looked for until it is there */
export function useCorrections(id: string, since: number | null) {
  return useQuery({
    ...queryOf(correctionsApi.list, { params: { id } }),
    refetchInterval: ({ state }) => (isChecking(state.data, since) ? POLL_MS : false),
  });
}

export function isChecking(data: Corrections | undefined, since: number | null): boolean {
  if (since === null || data === undefined || Date.now() - since > WATCHED_MS) return false;
  return data.corrections.some(
    ({ active, case: kept }) =>
      active && kept !== null && (kept.checkedAt === null || Date.parse(kept.checkedAt) < since),
  );
}

export const useVersions = (id: string) => useQuery(queryOf(versionsApi.list, { params: { id } }));

/** @param other null: the newest */
export const useComparison = (id: string, versionId: string, other: string | null) =>
  useQuery(queryOf(versionsApi.compare, { params: { id, versionId }, query: other === null ? {} : { with: other } }));

export function usePropose(id: string) {
  return useMutation({ mutationFn: (input: ProposalInput) => call(correctionsApi.propose, { params: { id }, input }) });
}

/** What is asked about again is shown as it was until the answer is there. */
export function useLessonPreview(id: string, question: string, rewordings: readonly string[]) {
  const input = { question, rewordings: [...rewordings] };
  return useQuery({
    queryKey: ["lesson-preview", id, input],
    queryFn: () => call(correctionsApi.preview, { params: { id }, input }),
    enabled: question !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useAccept(id: string) {
  return useMutation({
    mutationFn: (input: LessonInput) => call(correctionsApi.accept, { params: { id }, input }),
    onSuccess: twinChanged,
  });
}

export function useDecline(id: string) {
  return useMutation({
    mutationFn: (from: CorrectedAnswer) => call(correctionsApi.decline, { params: { id }, input: { from } }),
    onSuccess: twinChanged,
    onError: failed,
  });
}

export function useUpdateCorrection(id: string) {
  return useMutation({
    mutationFn: ({ correctionId, ...input }: CorrectionUpdate & { correctionId: string }) =>
      call(correctionsApi.update, { params: { id, correctionId }, input }),
    onSuccess: twinChanged,
  });
}

export function useRemoveCorrection(id: string) {
  return useMutation({
    mutationFn: (correctionId: string) => call(correctionsApi.remove, { params: { id, correctionId } }),
    onSuccess: twinChanged,
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
    onSuccess: twinChanged,
    onError: failed,
  });
}

/** What a twin is and has learnt is read again wherever it is shown. */
const twinChanged = () =>
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith("/api/digital-twins"),
  });

export const failed = (error: unknown) =>
  toast({ title: "Не удалось сохранить", description: messageOf(error), variant: "destructive" });
