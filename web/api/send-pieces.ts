// Uploads a file piece by piece. After a broken connection the upload continues where the server's copy ends.
import { ApiError, codeOf } from "./api-error.ts";

/** A piece whose upload is interrupted is sent again from its beginning. */
const PIECE_BYTES = 16 * 1024 * 1024;
const MAX_TRIES = 12;

interface Sending<State> {
  file: File;
  signal: AbortSignal;
  pieceBytes?: number;
  /** Consecutive tries without progress before giving up; the pauses between them grow to half a minute. */
  tries?: number;
  /** Starts the upload, or resumes an earlier one of the same file from what the server has stored. */
  begin: () => Promise<State>;
  append: (state: State, piece: Blob, onProgress: (share: number) => void) => Promise<State>;
  /** Number of bytes that the server has received; null when it has the whole file. */
  arrived: (state: State) => number | null;
  onProgress: (share: number) => void;
  /** Called with true when the connection breaks and with false when the upload is retried. */
  onWaiting: (waiting: boolean) => void;
}

/** @returns the server's final state. @throws errors that waiting does not cure; the signal's reason when aborted */
export async function sendPieces<State>(sending: Sending<State>): Promise<State> {
  const {
    file,
    signal,
    pieceBytes = PIECE_BYTES,
    tries = MAX_TRIES,
    begin,
    append,
    arrived,
    onProgress,
    onWaiting,
  } = sending;
  for (let tried = 0, furthest = -1; ; ) {
    try {
      let state = await begin();
      for (let from = arrived(state); from !== null; from = arrived(state)) {
        if (from > furthest) tried = 0;
        furthest = Math.max(furthest, from);
        const begun = from;
        const piece = file.slice(begun, begun + pieceBytes);
        state = await append(state, piece, (share) =>
          onProgress(file.size === 0 ? 1 : (begun + share * piece.size) / file.size),
        );
      }
      return state;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || ++tried > tries) throw error;
      onWaiting(true);
      await pause(Math.min(30_000, 500 * 2 ** tried), signal);
      onWaiting(false);
    }
  }
}

/** Whether a retry may help: no connection, a restarting server, a piece that arrived incomplete or twice. */
function isTransient(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (!(error instanceof ApiError)) return false;
  const code = codeOf(error);
  // A full disk does not become free within the minute of retries.
  if (code === "no_space") return false;
  return error.status >= 500 || error.status === 408 || code === "offset_differs" || code === "upload_broken";
}

/** Waits; ends early when the connection is back. @throws the signal's reason when aborted */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      window.removeEventListener("online", goOn);
      signal.removeEventListener("abort", stop);
      settle();
    };
    const goOn = () => end(resolve);
    const stop = () => end(() => reject(signal.reason));
    const timer = setTimeout(goOn, milliseconds);
    window.addEventListener("online", goOn);
    signal.addEventListener("abort", stop);
  });
}
