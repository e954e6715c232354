import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { integrationsApi } from "#contract/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge-base.ts";
import { queryOf, send } from "#web/api.ts";
import { invalidateHistory } from "#web/integrations/history-changes.ts";
import { toastRefusal } from "#web/integrations/queries.ts";
import { reimportBegan, whileReimporting } from "#web/integrations/reimport-ends.ts";
import { ShownIntegration } from "#web/integrations/shown-integration.ts";
import { toast } from "#web/ui/toast.ts";

const shownCrmList = { ...integrationsApi.crm, output: z.array(ShownIntegration) };

export const useCrmIntegrations = () => useQuery({ ...queryOf(shownCrmList), refetchInterval: whileReimporting });

/** Reads an account's history anew; its toasts are the same wherever it is started. */
export function useReimport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (integrationId: string) => send(knowledgeBaseApi.reimport, { params: { id: integrationId } }),
    onSuccess: (_answer, integrationId) => {
      reimportBegan(integrationId);
      toast({ title: "Переимпорт запущен", description: "Данные обновляются в фоновом режиме" });
      void invalidateHistory(client);
    },
    onError: (error) => toastRefusal("Ошибка переимпорта", error, "Не удалось запустить переимпорт"),
  });
}
