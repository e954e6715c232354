// Upload of a voice adapter's file. Leaving the screen does not stop it.
import type { Out } from "#contract/endpoint.ts";
import { voiceApi as api } from "#contract/models/voice.ts";
import { messageOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { sendPieces } from "#web/api/send-pieces.ts";
import { upload } from "#web/api/upload.ts";
import { uploadState } from "#web/api/upload-state.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export interface VoiceSending {
  twinId: string;
  name: string;
  share: number;
  waiting: boolean;
  reason?: string;
}

let controller: AbortController | undefined;

const { current, publish, useUpload } = uploadState<VoiceSending | null>("voice", null);

export function useVoiceSending(twinId: string): VoiceSending | null {
  const sending = useUpload();
  return sending?.twinId === twinId ? sending : null;
}

export function dropVoiceSending() {
  controller?.abort();
  publish(null);
}

export async function sendVoice(twinId: string, file: File): Promise<void> {
  controller?.abort();
  const own = new AbortController();
  controller = own;
  const begun: VoiceSending = { twinId, name: file.name, share: 0, waiting: false };
  const tell = (change: Partial<VoiceSending>) => publish({ ...(current() ?? begun), ...change });
  publish(begun);
  const input = { fileName: file.name, bytes: file.size, modified: file.lastModified };
  try {
    await sendPieces<Out<typeof api.appendFile.output>>({
      file,
      signal: own.signal,
      begin: async () => ({
        upload: await call(api.beginFile, { params: { id: twinId }, input, signal: own.signal }),
        voiceId: null,
      }),
      append: ({ upload: state }, body, onProgress) =>
        upload(api.appendFile, {
          params: { id: twinId, fileId: state!.id },
          query: { offset: state!.offset },
          ...{ body, signal: own.signal, onProgress },
        }),
      arrived: ({ upload: state }) => state?.offset ?? null,
      onProgress: (share) => tell({ share }),
      onWaiting: (waiting) => tell({ waiting }),
    });
    publish(null);
    toast({ title: "Почерк загружен", description: "Измерьте с ним похожесть, потом включите" });
  } catch (error) {
    if (own.signal.aborted) return;
    tell({ reason: messageOf(error), waiting: false });
  }
  refreshAfter(api.change);
}
