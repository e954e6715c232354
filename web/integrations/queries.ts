import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type IntegrationForm, type IntegrationUpdate, integrationsApi } from "#contract/integrations/integrations.ts";
import { call, send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { platformForm } from "./platforms.ts";
import { ShownIntegration } from "./shown-integration.ts";

// The screens accept entries with missing fields, but the response must be a list.
const shownList = { ...integrationsApi.list, output: z.array(ShownIntegration) };

export const useIntegrations = () => useQuery(queryOf(shownList));

/** Names in `settings` of the fields of «Дополнительно». */
const ADDITIONAL = {
  appSecret: "app_secret",
  address: "address",
  signingSecret: "signing_secret",
  appToken: "app_token",
  proxy: "proxy",
} as const;

const additionalOf = (values: IntegrationForm, fields: readonly (keyof IntegrationForm)[] = []) =>
  Object.fromEntries(
    fields.flatMap((field) =>
      field in ADDITIONAL && values[field] ? [[ADDITIONAL[field as keyof typeof ADDITIONAL], values[field]]] : [],
    ),
  );

/** Returns the request body of the form, with null for empty fields. */
export function createPayload(values: IntegrationForm) {
  const { digitalTwinId, platform, apiKey, apiId, apiHash, phoneNumber } = values;
  const form = platformForm(platform);
  return {
    digitalTwinId,
    platform,
    apiKey,
    apiId: apiId || null,
    apiHash: apiHash || null,
    phoneNumber: phoneNumber || null,
    settings: {
      phone_number: phoneNumber || null,
      webhook_url: values.webhookUrl || null,
      success_rate: form?.successRate ?? null,
      ...additionalOf(values, [...(form?.account ?? []), ...(form?.additional ?? [])]),
    },
    status: "active" as const,
  };
}

type Payload = Omit<ReturnType<typeof createPayload>, "settings"> & {
  settings: { phone_number: string | null; webhook_url: string | null };
};

export function useCreateIntegration() {
  return useMutation({
    /** Resolves to the new integration; null when the response is unreadable, in which case the lists show it after a refetch. */
    mutationFn: async (values: IntegrationForm): Promise<ShownIntegration | null> => {
      const response = await send(integrationsApi.create, { input: createPayload(values) });
      const made = ShownIntegration.safeParse(await response.json().catch(() => null));
      return made.data ?? null;
    },
  });
}

/** Checks the connection with credentials that are not saved yet: the button «Проверить соединение». */
export function useTryConnection() {
  return useMutation({
    mutationFn: (payload: Pick<Payload, "platform" | "apiKey" | "apiId" | "apiHash" | "phoneNumber" | "settings">) => {
      const { platform, apiKey, apiId, apiHash, phoneNumber, settings } = payload;
      const input = { platform, apiKey, apiId, apiHash, phoneNumber, settings };
      return call(integrationsApi.tryConnection, { input });
    },
    onError: toastRefusal("Соединение не проверено", "Повторите через минуту"),
  });
}

/** Replaces the credentials («Заменить ключ»); only entered fields are sent. */
export function useReplaceCredentials(id: string) {
  return useMutation({
    mutationFn: (values: IntegrationForm) => {
      const { platform, apiKey } = values;
      const settings = additionalOf(values, platformForm(platform)?.key.additional);
      return call(integrationsApi.replaceCredentials, { params: { id }, input: { platform, apiKey, settings } });
    },
  });
}

export function useUpdateIntegration() {
  return useMutation({
    mutationFn: ({ id, ...input }: IntegrationUpdate & { id: string }) =>
      send(integrationsApi.update, { params: { id }, input }),
    onError: toastRefusal("Ошибка обновления", "Не удалось сохранить изменения"),
  });
}

export function useRemoveIntegration() {
  return useMutation({
    mutationFn: (id: string) => call(integrationsApi.remove, { params: { id } }),
    onSuccess: () => toast({ title: "Интеграция удалена", description: "Её ключи уничтожены" }),
    onError: toastRefusal("Ошибка удаления", "Не удалось удалить интеграцию"),
  });
}
