import { useMutation, useQuery } from "@tanstack/react-query";
import { type ImportState, importsApi } from "#contract/knowledge/imports.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { queryClient } from "#web/api/query-client.ts";
import { refresh } from "#web/api/refresh.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const POLL_MS = 1000;
const importFailed = toastError("Ошибка импорта");

/** The server is working on it. */
export const isInProgress = ({ status }: Pick<ImportState, "status">) => status === "reading" || status === "running";

/** Its recordings and pictures are being read, as happens also after its end. */
const isRead = ({ attached }: ImportState) => attached !== undefined && attached.read < attached.total;

/** All imports without their chats, newest first; looks again while one moves. */
export const useImports = () =>
  useQuery({
    ...queryOf(importsApi.list),
    refetchInterval: ({ state }) =>
      state.data?.some(isInProgress) ? POLL_MS : state.data?.some(isRead) ? 5 * POLL_MS : false,
  });

/** One import with its chats. Those are many: its progress is read from the list, and this again when `status` changes. */
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
  /** Recordings and pictures are taken along. */
  attached?: true;
  /** Version of the consent text that was shown. */
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
      // It may have ended meanwhile.
      refresh({ tags: ["imports"] });
    },
  });
