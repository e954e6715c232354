import { useMutation } from "@tanstack/react-query";
import { type ConversationUpload, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { send } from "#web/api/call.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export const useUploadConversation = () =>
  useMutation({
    mutationFn: async (conversation: ConversationUpload) => {
      await send(knowledgeApi.uploadConversation, { input: conversation });
    },
    onSuccess: () => toast({ title: "Переписка загружена!" }),
    onError: toastError("Ошибка загрузки переписки"),
  });
