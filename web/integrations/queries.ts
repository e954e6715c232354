import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type IntegrationForm, type IntegrationUpdate, integrationsApi } from "#contract/integrations/integrations.ts";
import { call, send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { platformForm } from "./platforms.ts";
import { ShownIntegration } from "./shown-integration.ts";

// The screens show what comes, whatever of it is missing; anything but a list is no answer.
const shownList = { ...integrationsApi.list, output: z.array(ShownIntegration) };

export const useIntegrations = () => useQuery(queryOf(shownList));

/** What the fields of «Дополнительно» are called in `settings`. */
const ADDITIONAL = {
  appSecret: "app_secret",
  address: "address",
  signingSecret: "signing_secret",
  appToken: "app_token",
} as const;

/** The payload of the form: what is not filled in is null. */
export function createPayload(values: IntegrationForm) {
  const { digitalTwinId, platform, apiKey, apiId, apiHash, phoneNumber } = values;
  const form = platformForm(platform);
  const additional = (form?.additional ?? []).flatMap((field) =>
    field in ADDITIONAL && values[field] ? [[ADDITIONAL[field as keyof typeof ADDITIONAL], values[field]]] : [],
  );
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
      ...Object.fromEntries(additional),
    },
    status: "active" as const,
  };
}

export function useCreateIntegration() {
  return useMutation({
    /** Why it is not connected yet. The rest is read from the lists, in whatever shape it comes here. */
    mutationFn: async (values: IntegrationForm): Promise<string | null> => {
      const response = await send(integrationsApi.create, { input: createPayload(values) });
      const made = ShownIntegration.safeParse(await response.json().catch(() => null));
      return made.data?.trouble ?? null;
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
