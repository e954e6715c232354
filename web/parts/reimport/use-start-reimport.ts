import { useMutation } from "@tanstack/react-query";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { send } from "#web/api/call.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { reimportBegan } from "./reimport-ends.ts";

export const useStartReimport = () =>
  useMutation({
    mutationFn: (integrationId: string) => send(knowledgeBaseApi.reimport, { params: { id: integrationId } }),
    onSuccess: (_answer, integrationId) => {
      reimportBegan(integrationId);
      toast({ title: "Переимпорт запущен", description: "Данные обновляются в фоновом режиме" });
    },
    onError: toastRefusal("Ошибка переимпорта", "Не удалось запустить переимпорт"),
  });
