import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type DocumentUpdate, KnowledgeDocument, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { queryClient } from "#web/api/query-client.ts";
import { refreshed } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** A document without a status counts as processed. */
const documents = {
  ...knowledgeApi.documents,
  output: z.array(
    z.extend(KnowledgeDocument, {
      status: z.catch(z.string(), "processed"),
      tags: z.catch(z.array(z.string()), []),
      content: z.catch(z.string(), ""),
      length: z.catch(z.number(), 0),
      createdAt: z.catch(z.string(), ""),
    }),
  ),
};

const READ_YET_MS = 3000;

const isBeingRead = ({ status }: KnowledgeDocument) => status === "processing";

export const useDocuments = () =>
  useQuery({
    ...queryOf(documents),
    refetchInterval: ({ state: { data } }) => (data?.some(isBeingRead) ? READ_YET_MS : false),
  });

export const useDocument = (id: string) =>
  useQuery({
    ...queryOf(knowledgeApi.document, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isBeingRead(data) ? READ_YET_MS : false),
  });

export const useUpdateDocument = (id: string) =>
  useMutation({
    mutationFn: (input: DocumentUpdate) => call(knowledgeApi.updateDocument, { params: { id }, input }),
    onSuccess: refreshed,
  });

export const useRemoveDocument = () =>
  useMutation({
    mutationFn: (id: string) => call(knowledgeApi.removeDocument, { params: { id } }),
    onSuccess: (_nothing, id) => {
      queryClient.removeQueries({ queryKey: queryKeyOf(knowledgeApi.document, { params: { id } }) });
      toast({ title: "Документ удален" });
      return refreshed();
    },
    onError: toastError("Ошибка удаления"),
  });
