/** What a sandboxed program calls. */
import { type Frame, type FrameLimits, framePieces, readFrames } from "./frames.ts";

/**
 * Gives everything that the server asks to `answer`, one after the other, and writes the frames that come of it. The process ends when the
 * server closes the pipe, and so with the server.
 */
export async function answerAll(
  limits: FrameLimits,
  answer: (asked: Frame) => AsyncIterable<Uint8Array[]>,
): Promise<never> {
  process.stdout.on("error", () => process.exit(0));
  await write(framePieces({ ready: true }));
  for await (const asked of readFrames(process.stdin, limits)) {
    for await (const pieces of answer(asked)) await write(pieces);
  }
  process.exit(0);
}

async function write(pieces: Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    if (process.stdout.write(piece)) continue;
    await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}
