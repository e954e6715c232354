// Export files on their way to the server. They may be gigabytes, so leaving the screen does not stop them, and a broken
// connection only makes them wait: each goes on behind what has arrived. Their progress stands in the query cache, which a
// logout clears.
import { useQuery } from "@tanstack/react-query";
import { importsApi } from "#contract/imports.ts";
import { ApiError, call, messageOf } from "#web/api.ts";
import { queryClient } from "#web/query-client.ts";
import { toast } from "#web/ui/toast.ts";
import { upload } from "#web/upload.ts";
import { noteImport } from "./queries.ts";

export interface RefusedFile {
  name: string;
  reason: string;
}

export interface ExportUpload {
  files: File[];
  digitalTwinId: string;
  /** The file on its way, among `files`. */
  place: number;
  /** Share of all bytes sent, 0..1. */
  share: number;
  /** The connection is away: it is tried again by itself. */
  waiting: boolean;
  /** Files that the server has looked at and will never take. */
  refused: RefusedFile[];
  /** Why all of it stopped; absent while it is under way. */
  reason?: string;
}

/** A piece is sent again as a whole when the connection breaks while it is on its way. */
const PIECE_BYTES = 8 * 1024 * 1024;
/** Tries without a byte of progress; the waits between them grow to half a minute. */
const TRIES = 20;

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

/** Sends the files one after the other and has the server read them; goes on where an earlier try has stopped. */
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
    // Without a refusal there is nothing left to say.
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

/** Stops the sending, or takes a failed one from the screen. What has arrived waits a day for the same file. */
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

  /** @returns ids of those that the server took */
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
    let tries = 0;
    let furthest = -1;
    for (;;) {
      try {
        const input = {
          digitalTwinId: this.state.digitalTwinId,
          fileName: file.name,
          bytes: file.size,
          modified: file.lastModified,
        };
        // The server knows how much of the same file it has.
        let { id, offset, format } = await call(importsApi.beginUpload, { input, signal: this.#signal });
        while (format === null) {
          if (offset > furthest) tries = 0;
          furthest = Math.max(furthest, offset);
          const begin = offset;
          ({ offset, format } = await upload(importsApi.appendUpload, {
            params: { id },
            query: { offset: begin },
            body: file.slice(begin, begin + PIECE_BYTES),
            signal: this.#signal,
            onProgress: (share) => this.#progress(begin + share * Math.min(PIECE_BYTES, file.size - begin)),
          }));
        }
        return id;
      } catch (error) {
        if (!passes(error) || ++tries > TRIES) throw error;
        this.#tell({ waiting: true });
        await pause(Math.min(30_000, 500 * 2 ** tries), this.#signal);
        this.#tell({ waiting: false });
      }
    }
  }

  #progress(sent: number) {
    const share = this.#total === 0 ? 1 : (this.#sentBefore + sent) / this.#total;
    this.#tell({ share });
  }

  #tell(change: Partial<ExportUpload>) {
    this.state = { ...this.state, ...change };
    // A logout takes the state away: nothing goes on behind it.
    if (current()) publish(this.state);
    else controller?.abort();
  }
}

/** What passes by itself: no connection, a server that restarts, a piece that was cut or came twice. */
function passes(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (!(error instanceof ApiError)) return false;
  const { code } = error.serverMessage ?? {};
  // A full disk is not emptied within the minute that is waited here.
  if (code === "no_space") return false;
  return error.status >= 500 || error.status === 408 || code === "offset_differs" || code === "upload_broken";
}

/** Ends early when the connection is back. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      window.removeEventListener("online", goOn);
      signal.removeEventListener("abort", stop);
      settle();
    };
    const goOn = () => end(resolve);
    const stop = () => end(() => reject(new DOMException("Загрузка отменена", "AbortError")));
    const timer = setTimeout(goOn, milliseconds);
    window.addEventListener("online", goOn);
    signal.addEventListener("abort", stop);
  });
}
