import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type BlindAnswers, qualityApi } from "#contract/quality.ts";
import { call, messageOf, queryKeyOf, queryOf } from "#web/api.ts";
import { toast } from "#web/ui/toast.ts";

const POLL_MS = 3000;
/** A measure takes seconds; when nothing has come by then, the job waits behind others. */
const WATCHED_MS = 90_000;

const keyOf = (id: string) => queryKeyOf(qualityApi.get, { params: { id } });

/** @param since the asked-for measure is newer than that (ms since 1970): looked for until it is there */
export function useQuality(id: string, since: number | null) {
  return useQuery({
    ...queryOf(qualityApi.get, { params: { id } }),
    refetchInterval: ({ state }) => (isAwaited(state.data?.measure?.measuredAt, since) ? POLL_MS : false),
  });
}

export function isAwaited(measuredAt: string | undefined, since: number | null): boolean {
  if (since === null || Date.now() - since > WATCHED_MS) return false;
  return measuredAt === undefined || Date.parse(measuredAt) < since;
}

export function useMeasure(id: string, onQueued: () => void) {
  return useMutation({
    mutationFn: () => call(qualityApi.measure, { params: { id } }),
    onSuccess: onQueued,
    onError: (error) =>
      toast({ title: "Не удалось начать измерение", description: messageOf(error), variant: "destructive" }),
  });
}

/** A new test each time: ten other pairs. */
export function useBlindTest(id: string) {
  return useMutation({ mutationFn: () => call(qualityApi.blindTest, { params: { id } }) });
}

export function useBlindAnswers(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: BlindAnswers) => call(qualityApi.answerBlindTest, { params: { id }, input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keyOf(id) }),
  });
}
