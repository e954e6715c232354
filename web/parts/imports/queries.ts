import { useMutation, useQuery } from "@tanstack/react-query";
import { type ImportState, importsApi } from "#contract/knowledge/imports.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { queryClient } from "#web/api/query-client.ts";
import { refresh } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 1000;
const importFailed = toastError("Ошибка импорта");

export const isInProgress = ({ status }: Pick<ImportState, "status">) => status === "reading" || status === "running";

/** Whether its recordings and pictures are being read, which may continue after the import. */
const isRead = ({ attached }: ImportState) => attached !== undefined && attached.read < attached.total;

/** All imports without their chats, newest first; polled while one is in progress. */
export const useImports = () =>
  useQuery({
    ...queryOf(importsApi.list),
    refetchInterval: ({ state }) =>
      state.data?.some(isInProgress) ? POLL_MS : state.data?.some(isRead) ? 5 * POLL_MS : false,
  });

/** One import with its many chats. It is refetched only when `status` changes, and its progress is read from the list. */
export function useImport(id: string, listed: ImportState | undefined) {
  const query = useQuery({
    ...queryOf(importsApi.get, { params: { id } }),
    refetchInterval: ({ state }) => {
      if (!state.data) return false;
      if (!listed) return isInProgress(state.data) ? POLL_MS : false;
      const differs = listed.status !== state.data.status && (isInProgress(listed) || isInProgress(state.data));
      return differs ? POLL_MS / 4 : false;
    },
  });
  if (!query.data || listed?.status !== query.data.status) return query;
  const { total, processed, imported, duplicates, attached } = listed;
  const counts = { total, processed, imported, duplicates, ...(attached && { attached }) };
  return { ...query, data: { ...query.data, ...counts } };
}

export function noteImport(state: ImportState) {
  queryClient.setQueryData(queryKeyOf(importsApi.get, { params: { id: state.id } }), state);
  // An unloaded list stays unloaded: a list of one import would look complete.
  queryClient.setQueryData<ImportState[]>(
    queryKeyOf(importsApi.list, {}),
    (list) => list && [state, ...list.filter(({ id }) => id !== state.id)],
  );
}

interface StartImport {
  id: string;
  ownerId: string;
  chatIds: string[];
  attached?: true;
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
    onSuccess: noteImport,
    onError: (error) => {
      importFailed(error);
      // The import may have ended in the meantime.
      refresh({ tags: ["imports"] });
    },
  });
