import { useMutation, useQuery } from "@tanstack/react-query";
import { type WebhookInput, webhooksApi } from "#contract/integrations/webhooks.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

const DELIVERIES_POLL_MS = 3000;

export const useWebhooks = (twinId: string) => useQuery(queryOf(webhooksApi.list, { params: { id: twinId } }));

/** The log of a webhook, polled while a delivery is in flight. */
export const useDeliveries = (twinId: string, webhookId: string) =>
  useQuery({
    ...queryOf(webhooksApi.deliveries, { params: { id: twinId, webhookId } }),
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => delivery.state === "pending" && delivery.attempts < 2)
        ? DELIVERIES_POLL_MS
        : false,
  });

export function useWebhookActs(twinId: string) {
  const failed = toastRefusal("Ошибка", "Не удалось изменить вебхук");
  const place = (webhookId: string) => ({ params: { id: twinId, webhookId } });
  return {
    save: useMutation({
      mutationFn: async ({ id, ...input }: WebhookInput & { id?: string }) =>
        id === undefined
          ? (await call(webhooksApi.create, { params: { id: twinId }, input })).secret
          : void (await call(webhooksApi.update, { ...place(id), input })),
    }),
    rotate: useMutation({
      mutationFn: (id: string) => call(webhooksApi.rotate, place(id)),
      onError: failed,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call(webhooksApi.remove, place(id)),
      onSuccess: () => toast({ title: "Вебхук удалён" }),
      onError: failed,
    }),
    test: useMutation({
      mutationFn: (id: string) => call(webhooksApi.test, place(id)),
      onSuccess: () => toast({ title: "Проверка отправлена", description: "Что вышло, видно в журнале" }),
      onError: failed,
    }),
    resend: useMutation({
      mutationFn: ({ id, deliveryId }: { id: string; deliveryId: string }) =>
        call(webhooksApi.resend, { params: { id: twinId, webhookId: id, deliveryId } }),
      onError: failed,
    }),
  };
}
