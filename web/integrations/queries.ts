import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { analyticsApi } from "#contract/analytics.ts";
import {
  type IntegrationForm,
  type IntegrationUpdate,
  integrationsApi,
  TELEGRAM_SUCCESS_RATE,
} from "#contract/integrations.ts";
import { call, queryKeyOf, queryOf, send, serverSentenceOf } from "#web/api.ts";
import { twinList } from "#web/twins/read-twin.ts";
import { toast } from "#web/ui/toast.ts";
import { ShownIntegration } from "./shown-integration.ts";

// The screens show what comes, whatever of it is missing; anything but a list is no answer.
const shownList = { ...integrationsApi.list, output: z.array(ShownIntegration) };

export const useIntegrations = () => useQuery(queryOf(shownList));
export const useTwins = () => useQuery(queryOf(twinList));

const integrationsKey = queryKeyOf(integrationsApi.list, {});
const crmKey = queryKeyOf(integrationsApi.crm, {});

export async function invalidate(client: QueryClient, ...keys: (readonly unknown[])[]) {
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Both lists of integrations, and the activity that names them. */
export const invalidateIntegrations = (client: QueryClient) =>
  invalidate(client, integrationsKey, crmKey, queryKeyOf(analyticsApi.activity, {}));

/** Toasts a failed call: the server's sentence, else `fallback`. */
export function toastRefusal(title: string, error: unknown, fallback: string) {
  toast({ title, description: serverSentenceOf(error) ?? fallback, variant: "destructive" });
}

/** The payload of the form: what is not filled in is null. */
export function createPayload(values: IntegrationForm) {
  const { digitalTwinId, platform, apiKey, apiId, apiHash, phoneNumber } = values;
  const additional = {
    ...(platform === "whatsapp" && values.appSecret ? { app_secret: values.appSecret } : {}),
    ...(platform === "email" && values.address ? { address: values.address } : {}),
    ...(platform === "slack" && values.signingSecret ? { signing_secret: values.signingSecret } : {}),
    ...(platform === "slack" && values.appToken ? { app_token: values.appToken } : {}),
  };
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
      success_rate: platform === "telegram" ? TELEGRAM_SUCCESS_RATE : null,
      ...additional,
    },
    status: "active" as const,
  };
}

export function useCreateIntegration() {
  const client = useQueryClient();
  return useMutation({
    /** Why it is not connected yet. The rest is read from the lists, in whatever shape it comes here. */
    mutationFn: async (values: IntegrationForm): Promise<string | null> => {
      const response = await send(integrationsApi.create, { input: createPayload(values) });
      const made = ShownIntegration.safeParse(await response.json().catch(() => null));
      return made.data?.trouble ?? null;
    },
    onSuccess: () => void invalidateIntegrations(client),
  });
}

export function useUpdateIntegration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...input }: IntegrationUpdate & { id: string }) =>
      send(integrationsApi.update, { params: { id }, input }),
    onSuccess: () => void invalidateIntegrations(client),
    onError: (error) => toastRefusal("Ошибка обновления", error, "Не удалось сохранить изменения"),
  });
}

export function useRemoveIntegration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(integrationsApi.remove, { params: { id } }),
    onSuccess: () => {
      void invalidateIntegrations(client);
      toast({ title: "Интеграция удалена", description: "Её ключи уничтожены" });
    },
    onError: (error) => toastRefusal("Ошибка удаления", error, "Не удалось удалить интеграцию"),
  });
}
