import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiKeyInput, apiKeysApi } from "#contract/integrations/api-keys.ts";
import { type WidgetInput, widgetApi } from "#contract/integrations/widget.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export const useKeys = (twinId: string) => useQuery(queryOf(apiKeysApi.list, { params: { id: twinId } }));

export function useCreateKey(twinId: string) {
  return useMutation({
    mutationFn: (input: ApiKeyInput) => call(apiKeysApi.create, { params: { id: twinId }, input }),
  });
}

export function useRevokeKey(twinId: string) {
  return useMutation({
    mutationFn: (keyId: string) => call(apiKeysApi.revoke, { params: { id: twinId, keyId } }),
    onSuccess: () => toast({ title: "Ключ отозван" }),
    onError: toastRefusal("Ошибка", "Не удалось отозвать ключ"),
  });
}

export const useWidget = (twinId: string) => useQuery(queryOf(widgetApi.get, { params: { id: twinId } }));

export function useSaveWidget(twinId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: WidgetInput) => call(widgetApi.save, { params: { id: twinId }, input }),
    onSuccess: (saved) => client.setQueryData(queryKeyOf(widgetApi.get, { params: { id: twinId } }), saved),
    onError: toastRefusal("Ошибка", "Не удалось сохранить настройки чата"),
  });
}
