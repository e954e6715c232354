import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type ImportState, importsApi } from "#contract/imports.ts";
import { type DialogueUpload, type DocumentInput, KnowledgeDocument, knowledgeApi } from "#contract/knowledge.ts";
import { call, messageOf, queryKeyOf, queryOf, send } from "#web/api.ts";
import { queryClient } from "#web/query-client.ts";
import { toast } from "#web/ui/toast.ts";

const POLL_MS = 1000;

/** A document without a status is a processed one. */
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

export const useDocuments = () => useQuery(queryOf(documents));

export const useDocument = (id: string) => useQuery(queryOf(knowledgeApi.document, { params: { id } }));

export const useTwinSearch = (twinId: string, q: string) =>
  useQuery({ ...queryOf(knowledgeApi.search, { params: { id: twinId }, query: { q } }), enabled: q !== "" });

/** What a twin knows has changed: every list and figure that shows it is read again. */
export function knowledgeChanged() {
  const stale = ["/api/digital-twins", "/api/knowledge", "/api/conversations", "/api/dashboard", "/api/activity"];
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      stale.some((path) => String(queryKey[0]).startsWith(path)) || queryKey.at(-1) === "storage",
  });
}

export const useUploadDocument = () =>
  useMutation({
    mutationFn: async (document: DocumentInput) => {
      const input = { ...document, status: "processed" };
      await send(knowledgeApi.upload, { input });
    },
    onSuccess: () => {
      toast({ title: "Документ загружен!" });
      knowledgeChanged();
    },
    onError: (error) => toast({ title: "Ошибка загрузки", description: messageOf(error), variant: "destructive" }),
  });

export const useRemoveDocument = () =>
  useMutation({
    mutationFn: (id: string) => call(knowledgeApi.removeDocument, { params: { id } }),
    onSuccess: (_nothing, id) => {
      queryClient.removeQueries({ queryKey: queryKeyOf(knowledgeApi.document, { params: { id } }) });
      toast({ title: "Документ удален" });
      return knowledgeChanged();
    },
    onError: (error) => toast({ title: "Ошибка удаления", description: messageOf(error), variant: "destructive" }),
  });

export const useUploadDialogue = () =>
  useMutation({
    mutationFn: async (dialogue: DialogueUpload) => {
      await send(knowledgeApi.uploadDialogue, { input: dialogue });
    },
    onSuccess: () => {
      toast({ title: "Переписка загружена!" });
      knowledgeChanged();
    },
    onError: (error) =>
      toast({ title: "Ошибка загрузки переписки", description: messageOf(error), variant: "destructive" }),
  });

/** The server works on it by itself now. */
export const isMoving = ({ status }: Pick<ImportState, "status">) => status === "reading" || status === "running";

/** All imports without their chats, newest first; looks again while one moves. */
export const useImports = () =>
  useQuery({
    ...queryOf(importsApi.list),
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? POLL_MS : false),
  });

/** One import with its chats. Those are many: its progress is read from the list, and this again when `status` changes. */
export function useImport(id: string, listed: ImportState | undefined) {
  const query = useQuery({
    ...queryOf(importsApi.get, { params: { id } }),
    refetchInterval: ({ state }) => {
      if (!state.data) return false;
      if (!listed) return isMoving(state.data) ? POLL_MS : false;
      const differs = listed.status !== state.data.status && (isMoving(listed) || isMoving(state.data));
      return differs ? POLL_MS / 4 : false;
    },
  });
  if (!query.data || listed?.status !== query.data.status) return query;
  const { total, processed, imported, duplicates } = listed;
  return { ...query, data: { ...query.data, total, processed, imported, duplicates } };
}

/** Puts an import's new state where the screen reads it. */
export function noteImport(state: ImportState) {
  queryClient.setQueryData(queryKeyOf(importsApi.get, { params: { id: state.id } }), state);
  // A list that was never read stays unread: it would pass for the whole.
  queryClient.setQueryData<ImportState[]>(
    queryKeyOf(importsApi.list, {}),
    (list) => list && [state, ...list.filter(({ id }) => id !== state.id)],
  );
}

interface StartImport {
  id: string;
  ownerId: string;
  chatIds: string[];
  /** Of the text that was shown. */
  consentVersion: string;
}

export const useStartImport = () =>
  useMutation({
    mutationFn: ({ id, ...choice }: StartImport) =>
      call(importsApi.start, { params: { id }, input: { ...choice, consent: true } }),
    onSuccess: noteImport,
    onError: importFailed,
  });

export const useCancelImport = () =>
  useMutation({
    mutationFn: (id: string) => call(importsApi.cancel, { params: { id } }),
    onSuccess: (state) => {
      noteImport(state);
      knowledgeChanged();
    },
    onError: (error) => {
      importFailed(error);
      // It may have ended by itself meanwhile.
      queryClient.invalidateQueries({ queryKey: queryKeyOf(importsApi.list, {}) });
    },
  });

function importFailed(error: Error) {
  toast({ title: "Ошибка импорта", description: messageOf(error), variant: "destructive" });
}
