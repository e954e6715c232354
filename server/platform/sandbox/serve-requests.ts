/** Request loop of a sandboxed program. */
import { type Frame, type FrameLimits, framePieces, readFrames } from "./frames.ts";

/** Requests data from the server during the work, such as bytes of a file. The response's header repeats `ask` as `answer`. */
export type Ask = (header: Record<string, unknown>) => Promise<Frame>;

/**
 * Passes each request of the server to `answer`, one after the other, and writes the resulting frames. The process exits when the server
 * closes the pipe, and therefore also when the server exits.
 */
export async function serveRequests(
  limits: FrameLimits,
  answer: (asked: Frame, ask: Ask) => AsyncIterable<Uint8Array[]>,
): Promise<never> {
  process.stdout.on("error", () => process.exit(0));
  const waiting = new Map<number, (frame: Frame) => void>();
  let asks = 0;
  // Writes are serialised, so that frames of different parts of the program do not mix.
  let writing = write(framePieces({ ready: true }));
  const send = (pieces: Uint8Array[]) => {
    writing = writing.then(() => write(pieces));
    return writing;
  };
  const ask: Ask = async (header) => {
    const { promise, resolve } = Promise.withResolvers<Frame>();
    waiting.set(++asks, resolve);
    await send(framePieces({ ...header, ask: asks }));
    return promise;
  };
  let working = Promise.resolve();
  for await (const frame of readFrames(process.stdin, limits)) {
    const to = (frame.header as { answer?: number }).answer;
    if (to === undefined) {
      working = working.then(async () => {
        for await (const pieces of answer(frame, ask)) await send(pieces);
      });
    } else {
      waiting.get(to)?.(frame);
      waiting.delete(to);
    }
  }
  process.exit(0);
}

async function write(pieces: Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    if (process.stdout.write(piece)) continue;
    await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}
