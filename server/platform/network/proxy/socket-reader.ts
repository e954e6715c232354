import type { Socket } from "node:net";
import { ProxyFailure } from "../proxy-failure.ts";

/**
 * Reads exactly `size` bytes from the socket; the rest stays in the socket for the next reader.
 * @throws ProxyFailure when the socket ends earlier
 */
export async function readExactly(socket: Socket, size: number): Promise<Buffer> {
  for (;;) {
    const chunk: Buffer | null = socket.read(size);
    if (chunk !== null) {
      if (chunk.length === size) return chunk;
      throw new ProxyFailure("cut");
    }
    await nextBytes(socket);
  }
}

/**
 * Reads everything up to and including `end`; the rest stays in the socket.
 * @throws ProxyFailure when the socket ends earlier, or the data does not begin with `begins` or is longer than `longest`
 */
export async function readUntil(
  socket: Socket,
  { begins, end, longest }: { begins: string; end: string; longest: number },
): Promise<string> {
  let text = Buffer.alloc(0);
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      await nextBytes(socket);
      continue;
    }
    // `end` may have begun in the previous chunk.
    const from = Math.max(0, text.length - end.length);
    text = Buffer.concat([text, chunk]);
    const beginning = text.toString("latin1", 0, begins.length);
    if (!begins.startsWith(beginning)) throw new ProxyFailure("protocol");
    const found = text.indexOf(end, from, "latin1");
    if (found !== -1) {
      const rest = text.subarray(found + end.length);
      if (rest.length > 0) socket.unshift(rest);
      return text.toString("latin1", 0, found);
    }
    if (text.length > longest) throw new ProxyFailure("protocol");
  }
}

/** Resolves when there may be more bytes to read. */
function nextBytes(socket: Socket): Promise<void> {
  if (socket.destroyed || socket.readableEnded) return Promise.reject(new ProxyFailure("cut"));
  return new Promise((resolve, reject) => {
    const done = () => {
      socket.off("readable", arrived);
      for (const event of ["end", "close", "error"]) socket.off(event, gone);
    };
    const arrived = () => {
      done();
      resolve();
    };
    const gone = () => {
      done();
      reject(new ProxyFailure("cut"));
    };
    socket.on("readable", arrived);
    for (const event of ["end", "close", "error"]) socket.on(event, gone);
  });
}
