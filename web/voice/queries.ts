import { useMutation, useQuery } from "@tanstack/react-query";
import { voiceApi as api, type TwinVoice } from "#contract/models/voice.ts";
import { call, send } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { queryClient } from "#web/api/query-client.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { saveFile } from "#web/files/save-file.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

const POLL_MS = 3000;

const of = (id: string) => ({ params: { id } });

/** The twin's voice adapters, polled while one of them is being measured. */
export function useTwinVoice(id: string) {
  return useQuery({
    ...queryOf(api.get, of(id)),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (isMeasuring(state.data) ? POLL_MS : false),
  });
}

const isMeasuring = (data: TwinVoice | undefined): boolean =>
  data !== undefined && (data.before.measuring || data.voices.some(({ after }) => after.measuring));

/** Refetches after a failure too, because another member may have made the change in the meantime. */
const failed = (title: string) => (error: Error) => {
  toastError(title)(error);
  refreshAfter(api.change);
};

export const useVoiceData = (id: string) =>
  useMutation({
    mutationFn: async () => saveFile(await send(api.data, of(id)), "voice-data.zip"),
    onError: toastError("Не удалось скачать данные"),
  });

export const useSwitchVoice = (id: string) =>
  useMutation({
    mutationFn: ({ voiceId, active }: { voiceId: string; active: boolean }) =>
      call(api.change, { params: { id, voiceId }, input: { active } }),
    onSuccess: (data) => queryClient.setQueryData(queryKeyOf(api.get, of(id)), data),
    onError: toastError("Не удалось переключить почерк"),
  });

export const useRemoveVoice = (id: string) =>
  useMutation({
    mutationFn: (voiceId: string) => call(api.remove, { params: { id, voiceId } }),
    onSuccess: () => toast({ title: "Версия удалена" }),
    onError: failed("Не удалось удалить версию"),
  });

/** @param voiceId of the mutation; null measures without a voice adapter */
export const useMeasureVoice = (id: string) =>
  useMutation({
    mutationFn: (voiceId: string | null) => call(api.measure, { ...of(id), input: { voiceId: voiceId ?? "none" } }),
    onError: failed("Не удалось начать измерение"),
  });
