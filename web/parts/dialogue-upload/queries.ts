import { useMutation } from "@tanstack/react-query";
import { type DialogueUpload, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { send } from "#web/api/call.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export const useUploadDialogue = () =>
  useMutation({
    mutationFn: async (dialogue: DialogueUpload) => {
      await send(knowledgeApi.uploadDialogue, { input: dialogue });
    },
    onSuccess: () => toast({ title: "Переписка загружена!" }),
    onError: toastError("Ошибка загрузки переписки"),
  });
