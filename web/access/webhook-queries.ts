import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type WebhookInput, webhooksApi } from "#contract/webhooks.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { toast } from "#web/ui/toast.ts";
import { toastFailure } from "./queries.ts";

const DELIVERIES_POLL_MS = 3000;

export const useWebhooks = (twinId: string) => useQuery(queryOf(webhooksApi.list, { params: { id: twinId } }));

/** The log of one webhook, looked at again while something of it is on its way. */
export const useDeliveries = (twinId: string, webhookId: string) =>
  useQuery({
    ...queryOf(webhooksApi.deliveries, { params: { id: twinId, webhookId } }),
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => delivery.state === "pending" && delivery.attempts < 2)
        ? DELIVERIES_POLL_MS
        : false,
  });

/** Whatever is done to webhooks: the list and the logs are read again. */
export function useWebhookActs(twinId: string) {
  const client = useQueryClient();
  const again = () =>
    void client.invalidateQueries({ queryKey: queryKeyOf(webhooksApi.list, { params: { id: twinId } }) });
  const failed = toastFailure("Ошибка", "Не удалось изменить вебхук");
  const place = (webhookId: string) => ({ params: { id: twinId, webhookId } });
  return {
    save: useMutation({
      mutationFn: async ({ id, ...input }: WebhookInput & { id?: string }) =>
        id === undefined
          ? (await call(webhooksApi.create, { params: { id: twinId }, input })).secret
          : void (await call(webhooksApi.update, { ...place(id), input })),
      onSuccess: again,
    }),
    rotate: useMutation({
      mutationFn: (id: string) => call(webhooksApi.rotate, place(id)),
      onSuccess: again,
      onError: failed,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call(webhooksApi.remove, place(id)),
      onSuccess: () => {
        again();
        toast({ title: "Вебхук удалён" });
      },
      onError: failed,
    }),
    test: useMutation({
      mutationFn: (id: string) => call(webhooksApi.test, place(id)),
      onSuccess: () => {
        again();
        toast({ title: "Проверка отправлена", description: "Что вышло, видно в журнале" });
      },
      onError: failed,
    }),
    resend: useMutation({
      mutationFn: ({ id, deliveryId }: { id: string; deliveryId: string }) =>
        call(webhooksApi.resend, { params: { id: twinId, webhookId: id, deliveryId } }),
      onSuccess: again,
      onError: failed,
    }),
  };
}
