// The export file on its way to the server. It may be gigabytes, so leaving the screen does not stop it: its progress
// stands in the query cache, which a logout clears.
import { useQuery } from "@tanstack/react-query";
import { importsApi } from "#contract/imports.ts";
import { ApiError, messageOf } from "#web/api.ts";
import { queryClient } from "#web/query-client.ts";
import { toast } from "#web/ui/toast.ts";
import { upload } from "#web/upload.ts";
import { noteImport } from "./queries.ts";

export interface ExportUpload {
  file: File;
  digitalTwinId: string;
  /** Share of the bytes sent, 0..1. */
  share: number;
  /** Why it failed; absent while it is under way. */
  reason?: string;
  /** The server has looked at the file and will never take it: no second try. */
  refused?: boolean;
}

const KEY = ["uploads", "export"];
let controller: AbortController | undefined;

const current = () => queryClient.getQueryData<ExportUpload | null>(KEY) ?? null;
const publish = (state: ExportUpload | null) => queryClient.setQueryData(KEY, state);

export function useExportUpload(): ExportUpload | null {
  return useQuery<ExportUpload | null>({
    queryKey: KEY,
    queryFn: current,
    initialData: current,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
}

export async function sendExport(file: File, digitalTwinId: string) {
  const own = new AbortController();
  controller = own;
  const state = { file, digitalTwinId };
  publish({ ...state, share: 0 });
  const form = new FormData();
  form.append("digitalTwinId", digitalTwinId);
  form.append("file", file);
  try {
    const started = await upload(importsApi.upload, {
      form,
      signal: own.signal,
      onProgress: (share) => {
        // A logout takes the state away: nothing goes on behind it.
        if (current()) publish({ ...state, share });
        else own.abort();
      },
    });
    noteImport(started);
    publish(null);
  } catch (error) {
    if (own.signal.aborted) return;
    const reason = messageOf(error);
    const refused = error instanceof ApiError && [413, 415].includes(error.status);
    publish({ ...state, share: 0, reason, refused });
    toast({ title: "Ошибка загрузки", description: reason, variant: "destructive" });
  }
}

/** Stops the sending, or takes a failed one from the screen. */
export function dropExport() {
  controller?.abort();
  publish(null);
}
