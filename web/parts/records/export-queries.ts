import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type DataExport, recordsApi } from "#contract/organizations/records.ts";
import { messageOf } from "#web/api/api-error.ts";
import { call, send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refresh } from "#web/api/refresh.ts";
import { saveFile } from "#web/files/save-file.ts";
import { ConfirmationLeft, useWithConfirmation } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { useOwnOrganization } from "#web/session/own-organization.ts";
import { toast } from "#web/ui/toasts/toast.ts";

const POLL_MS = 1000;

export interface ExportCalls {
  query: UseQueryResult<DataExport | null>;
  request: UseMutationResult<DataExport, Error, void>;
  /** Removes the export; its variable is the text of the toast that follows. */
  remove: UseMutationResult<void, Error, string>;
  download: UseMutationResult<void, Error, void>;
}

interface Way {
  look: ReturnType<typeof queryOf<typeof recordsApi.accountExport>>;
  request: () => Promise<DataExport>;
  remove: () => Promise<unknown>;
  file: () => Promise<Response>;
}

/** Use it within ConfirmIdentity, because an export requires a recent confirmation of the user's identity. */
function useExport(way: Way, enabled: boolean): ExportCalls {
  const client = useQueryClient();
  const withConfirmation = useWithConfirmation();
  const { queryKey } = way.look;
  const keep = (state: DataExport | null) => client.setQueryData(queryKey, state);
  const failed = (title: string) => (error: Error) => {
    if (error instanceof ConfirmationLeft) return;
    toast({ title, description: messageOf(error), variant: "destructive" });
  };
  return {
    query: useQuery({
      ...way.look,
      enabled,
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data?.state === "waiting" || state.data?.state === "running" ? POLL_MS : false,
    }),
    request: useMutation({
      mutationFn: () => withConfirmation(way.request),
      onSuccess: keep,
      onError: failed("Не удалось начать выгрузку"),
    }),
    remove: useMutation({
      mutationFn: async (_done: string) => {
        await client.cancelQueries({ queryKey });
        await way.remove();
      },
      onSuccess: (_answer, done) => {
        keep(null);
        toast({ title: done });
      },
      onError: failed("Не удалось удалить архив"),
    }),
    download: useMutation({
      mutationFn: async () => saveFile(await way.file(), "digital-twins.zip"),
      onError: (error) => {
        failed("Не удалось скачать архив")(error);
        // The export may have been deleted in the meantime.
        refresh({ tags: ["export"] });
      },
    }),
  };
}

export const useAccountExport = (): ExportCalls =>
  useExport(
    {
      look: queryOf(recordsApi.accountExport),
      request: () => call(recordsApi.requestAccountExport),
      remove: () => call(recordsApi.removeAccountExport),
      file: () => send(recordsApi.accountExportFile, {}),
    },
    true,
  );

export function useOrganizationExport(enabled: boolean): ExportCalls {
  const address = useOwnOrganization();
  return useExport(
    {
      look: queryOf(recordsApi.organizationExport, address),
      request: () => call(recordsApi.requestOrganizationExport, address),
      remove: () => call(recordsApi.removeOrganizationExport, address),
      file: () => send(recordsApi.organizationExportFile, address),
    },
    enabled,
  );
}
