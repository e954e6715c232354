// Upload of a model file, piece by piece. It may be gigabytes, so leaving the screen does not stop it. After a broken
// connection it continues where the server's copy ends.
import { localModelsApi as api } from "#contract/models/local-models.ts";
import { messageOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { sendPieces } from "#web/api/send-pieces.ts";
import { upload } from "#web/api/upload.ts";
import { uploadState } from "#web/api/upload-state.ts";
import { refreshModels } from "#web/parts/local-models/queries.ts";

interface ModelUpload {
  name: string;
  share: number;
  waiting: boolean;
  reason?: string;
}

let controller: AbortController | undefined;

const { current, publish, useUpload } = uploadState<ModelUpload | null>("model", null);
export const useModelUpload = useUpload;

/** Stops an upload or dismisses a failed one. The received part stays in the list of models. */
export function dropModelUpload() {
  controller?.abort();
  publish(null);
  refreshModels();
}

export async function sendModel(file: File): Promise<void> {
  const own = new AbortController();
  controller = own;
  const tell = (change: Partial<ModelUpload>) =>
    publish({ ...(current() ?? { name: file.name, share: 0, waiting: false }), ...change });
  publish({ name: file.name, share: 0, waiting: false });
  try {
    await sendPieces({
      file,
      signal: own.signal,
      begin: () => call(api.beginFile, { input: { fileName: file.name, bytes: file.size }, signal: own.signal }),
      append: ({ id, received }, body, onProgress) =>
        upload(api.appendFile, { params: { id }, query: { offset: received }, body, signal: own.signal, onProgress }),
      arrived: ({ state, received }) => (state === "uploading" ? received : null),
      onProgress: (share) => tell({ share }),
      onWaiting: (waiting) => tell({ waiting }),
    });
    publish(null);
  } catch (error) {
    if (own.signal.aborted) return;
    tell({ reason: messageOf(error), waiting: false });
  }
  refreshModels();
}
