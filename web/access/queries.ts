import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiKeyInput, apiKeysApi } from "#contract/api-keys.ts";
import { type WidgetInput, widgetApi } from "#contract/widget.ts";
import { call, queryKeyOf, queryOf, serverSentenceOf } from "#web/api.ts";
import { toast } from "#web/ui/toast.ts";

export const toastFailure = (title: string, fallback: string) => (error: unknown) =>
  toast({ title, description: serverSentenceOf(error) ?? fallback, variant: "destructive" });

export const useKeys = (twinId: string) => useQuery(queryOf(apiKeysApi.list, { params: { id: twinId } }));

export function useCreateKey(twinId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: ApiKeyInput) => call(apiKeysApi.create, { params: { id: twinId }, input }),
    onSuccess: () =>
      void client.invalidateQueries({ queryKey: queryKeyOf(apiKeysApi.list, { params: { id: twinId } }) }),
  });
}

export function useRevokeKey(twinId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => call(apiKeysApi.revoke, { params: { id: twinId, keyId } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeyOf(apiKeysApi.list, { params: { id: twinId } }) });
      toast({ title: "Ключ отозван" });
    },
    onError: toastFailure("Ошибка", "Не удалось отозвать ключ"),
  });
}

export const useWidget = (twinId: string) => useQuery(queryOf(widgetApi.get, { params: { id: twinId } }));

export function useSaveWidget(twinId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: WidgetInput) => call(widgetApi.save, { params: { id: twinId }, input }),
    onSuccess: (saved) => client.setQueryData(queryKeyOf(widgetApi.get, { params: { id: twinId } }), saved),
    onError: toastFailure("Ошибка", "Не удалось сохранить настройки чата"),
  });
}
