import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  FIRST_SETTINGS,
  type NotificationSettings,
  type Notifications,
  notificationsApi,
} from "#contract/organizations/notifications.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refresh } from "#web/api/refresh.ts";
import { NotAllowed, switchedOn, switchOff, switchOn } from "#web/parts/push/this-browser.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

const query = queryOf(notificationsApi.get);

export const useNotifications = () => useQuery(query);

export function useChoose() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: NotificationSettings) => call(notificationsApi.save, { input }),
    onSuccess: (_answer, settings) =>
      client.setQueryData<Notifications>(query.queryKey, (before) => before && { ...before, settings }),
    onError: toastError("Не удалось сохранить выбор"),
  });
}

export const notificationSettingsOf = (notifications: Notifications): NotificationSettings =>
  notifications.settings ?? FIRST_SETTINGS;

export function useSwitchOn(userId: string) {
  return useMutation({
    mutationFn: (publicKey: string) => switchOn(userId, publicKey),
    onSuccess: () =>
      toast({ title: "Уведомления включены", description: "Они придут и тогда, когда страница закрыта" }),
    onError: (error) => {
      if (error instanceof NotAllowed)
        toast({
          title: "Браузер не разрешил уведомления",
          description: "Разрешите их в настройках сайта",
          variant: "destructive",
        });
      else toastError("Не удалось включить уведомления")(error);
    },
  });
}

/** Also removes a browser on another device. */
export function useRemove(userId: string) {
  return useMutation({
    mutationFn: async (id: string) => {
      if (switchedOn(userId) === id) await switchOff();
      await call(notificationsApi.removeDevice, { params: { id } });
    },
    onSuccess: () => toast({ title: "Уведомления выключены" }),
    onError: toastError("Не удалось выключить уведомления"),
    onSettled: () => refresh({ tags: ["account"] }),
  });
}

export function useTry() {
  return useMutation({
    mutationFn: (id: string) => call(notificationsApi.tryDevice, { params: { id } }),
    onSuccess: () => toast({ title: "Пробное уведомление отправлено" }),
    onError: toastError("Не удалось отправить пробное уведомление"),
  });
}
