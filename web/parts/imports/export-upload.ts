// Uploads of export files. They may be gigabytes, so leaving the screen does not stop them, and after a broken
// connection each continues where the server's copy ends. Their progress is in the query cache, which a logout clears.
import { importsApi } from "#contract/knowledge/imports.ts";
import { ApiError, messageOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { sendPieces } from "#web/api/send-pieces.ts";
import { upload } from "#web/api/upload.ts";
import { uploadState } from "#web/api/upload-state.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { noteImport } from "./queries.ts";

interface RefusedFile {
  name: string;
  reason: string;
}

export interface ExportUpload {
  files: File[];
  digitalTwinId: string;
  place: number;
  share: number;
  /** Whether the connection is lost, so that the upload is being retried automatically. */
  waiting: boolean;
  /** Files that the server has checked and rejected permanently. */
  refused: RefusedFile[];
  reason?: string;
}

/** Size of a chunk of the upload, which is sent again as a whole when the connection breaks. */
const PIECE_BYTES = 8 * 1024 * 1024;
const MAX_TRIES = 20;

let controller: AbortController | undefined;

const { current, publish, useUpload } = uploadState<ExportUpload | null>("export", null);
export const useExportUpload = useUpload;

/** Uploads the files one after the other and starts their import; resumes an earlier attempt. */
export async function sendExports(files: File[], digitalTwinId: string) {
  const own = new AbortController();
  controller = own;
  const state: ExportUpload = { files, digitalTwinId, place: 0, share: 0, waiting: false, refused: [] };
  publish(state);
  const sending = new Sending(state, own.signal);
  try {
    const uploadIds = await sending.all();
    if (uploadIds.length > 0) {
      const started = await call(importsApi.fromUploads, { input: { uploadIds }, signal: own.signal });
      for (const each of started) noteImport(each);
    }
    const { refused } = sending.state;
    // Without rejected files the upload's state has nothing to show.
    publish(refused.length === 0 ? null : { ...sending.state, reason: refusalOf(refused, files.length) });
    if (refused.length > 0) fail(refusalOf(refused, files.length));
  } catch (error) {
    if (own.signal.aborted) return;
    const reason = messageOf(error);
    publish({ ...sending.state, waiting: false, reason });
    fail(reason);
  }
}

const fail = (description: string) => toast({ title: "Ошибка загрузки", description, variant: "destructive" });

const refusalOf = (refused: RefusedFile[], total: number): string =>
  total === 1 ? refused[0]!.reason : refused.map(({ name, reason }) => `${name}: ${reason}`).join("\n");

/** Stops an upload or dismisses a failed one. The server keeps received bytes for a day, so that the same file can be resumed. */
export function dropExport() {
  controller?.abort();
  publish(null);
}

class Sending {
  state: ExportUpload;
  readonly #signal: AbortSignal;
  readonly #total: number;
  #sentBefore = 0;

  constructor(state: ExportUpload, signal: AbortSignal) {
    this.state = state;
    this.#signal = signal;
    this.#total = state.files.reduce((sum, file) => sum + file.size, 0);
  }

  /** @returns upload ids of the files that the server accepted */
  async all(): Promise<string[]> {
    const ids: string[] = [];
    for (const [place, file] of this.state.files.entries()) {
      this.#tell({ place });
      try {
        ids.push(await this.#file(file));
      } catch (error) {
        if (!(error instanceof ApiError && [413, 415, 422].includes(error.status))) throw error;
        this.state = { ...this.state, refused: [...this.state.refused, { name: file.name, reason: messageOf(error) }] };
      }
      this.#sentBefore += file.size;
    }
    return ids;
  }

  async #file(file: File): Promise<string> {
    const signal = this.#signal;
    const input = {
      digitalTwinId: this.state.digitalTwinId,
      fileName: file.name,
      bytes: file.size,
      modified: file.lastModified,
    };
    const { id } = await sendPieces({
      file,
      signal,
      pieceBytes: PIECE_BYTES,
      tries: MAX_TRIES,
      begin: () => call(importsApi.beginUpload, { input, signal }),
      append: ({ id, offset }, body, onProgress) =>
        upload(importsApi.appendUpload, { params: { id }, query: { offset }, body, signal, onProgress }),
      arrived: ({ format, offset }) => (format === null ? offset : null),
      onProgress: (share) => this.#progress(share * file.size),
      onWaiting: (waiting) => this.#tell({ waiting }),
    });
    return id;
  }

  #progress(sent: number) {
    const share = this.#total === 0 ? 1 : (this.#sentBefore + sent) / this.#total;
    this.#tell({ share });
  }

  #tell(change: Partial<ExportUpload>) {
    this.state = { ...this.state, ...change };
    // A logout removes the state, which ends the upload.
    if (current()) publish(this.state);
    else controller?.abort();
  }
}
