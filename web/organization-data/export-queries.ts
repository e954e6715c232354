import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type DataExport, recordsApi } from "#contract/records.ts";
import { ConfirmationLeft, useWithConfirmation } from "#web/account/confirm-identity.tsx";
import { call, messageOf, queryKeyOf, queryOf, send } from "#web/api.ts";
import { toast } from "#web/ui/toast.ts";
import { useAddress } from "./queries.ts";

/** While it is being made. */
const LOOK_MS = 1000;

export interface ExportCalls {
  query: UseQueryResult<DataExport | null>;
  request: UseMutationResult<DataExport, Error, void>;
  /** Told what to say when it is done. */
  remove: UseMutationResult<void, Error, string>;
  download: UseMutationResult<void, Error, void>;
}

interface Way {
  look: ReturnType<typeof queryOf<typeof recordsApi.accountExport>>;
  request: () => Promise<DataExport>;
  remove: () => Promise<unknown>;
  file: () => Promise<Response>;
}

/** Within a ConfirmIdentity: an export wants a person who has just shown who he is. */
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
        state.data?.state === "waiting" || state.data?.state === "running" ? LOOK_MS : false,
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
      mutationFn: async () => saveFile(await way.file()),
      onError: (error) => {
        failed("Не удалось скачать архив")(error);
        // It may be gone.
        void client.invalidateQueries({ queryKey });
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
  const address = useAddress();
  return useExport(
    {
      look: {
        ...queryOf(recordsApi.organizationExport, address),
        queryKey: queryKeyOf(recordsApi.organizationExport, address),
      },
      request: () => call(recordsApi.requestOrganizationExport, address),
      remove: () => call(recordsApi.removeOrganizationExport, address),
      file: () => send(recordsApi.organizationExportFile, address),
    },
    enabled,
  );
}

/** The session's key goes with the call, so no address alone gives the file away; browsers keep large ones on the disk. */
async function saveFile(response: Response): Promise<void> {
  const name = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name ?? "digital-twins.zip";
  link.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
