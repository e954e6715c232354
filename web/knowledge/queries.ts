import { useMutation, useQuery } from "@tanstack/react-query";
import { type DocumentInput, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export const useTwinSearch = (twinId: string, q: string) =>
  useQuery({ ...queryOf(knowledgeApi.search, { params: { id: twinId }, query: { q } }), enabled: q !== "" });

export const useUploadDocument = () =>
  useMutation({
    mutationFn: async (document: DocumentInput) => {
      const input = { ...document, status: "processed" };
      await send(knowledgeApi.upload, { input });
    },
    onSuccess: () => toast({ title: "Документ загружен!" }),
    onError: toastError("Ошибка загрузки"),
  });
