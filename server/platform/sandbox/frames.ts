/**
 * Protocol between the server and a sandboxed process over a pipe. A frame consists of two 32-bit lengths (big-endian), a JSON header and a
 * binary body. Only JSON and bytes are accepted, because the process has read a stranger's file and is not trusted.
 */

export interface Frame {
  header: unknown;
  body: Buffer;
}

export interface FrameLimits {
  headerBytes: number;
  bodyBytes: number;
}

const LENGTHS_BYTES = 8;

/** Returns the pieces of a frame in order. The body's pieces are not joined, which would double their memory. */
export function framePieces(header: unknown, body: readonly Uint8Array[] = []): Uint8Array[] {
  const head = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(head.length, 0);
  lengths.writeUInt32BE(
    body.reduce((sum, piece) => sum + piece.length, 0),
    4,
  );
  return [lengths, head, ...body];
}

/** Yields frames until the stream ends. @throws Error for a frame that is too large or incomplete */
export async function* readFrames(
  stream: AsyncIterable<Buffer>,
  { headerBytes, bodyBytes }: FrameLimits,
): AsyncGenerator<Frame, void, void> {
  let pieces: Buffer[] = [];
  let length = 0;
  let wanted = LENGTHS_BYTES;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    while (length >= wanted) {
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces = [bytes];
      const head = bytes.readUInt32BE(0);
      const body = bytes.readUInt32BE(4);
      if (head > headerBytes || body > bodyBytes) throw new Error(`A frame of ${head} + ${body} bytes is too long`);
      wanted = LENGTHS_BYTES + head + body;
      if (length < wanted) break;
      const bodyAt = LENGTHS_BYTES + head;
      yield {
        header: JSON.parse(bytes.toString("utf8", LENGTHS_BYTES, bodyAt)),
        body: bytes.subarray(bodyAt, wanted),
      };
      pieces = [bytes.subarray(wanted)];
      length -= wanted;
      wanted = LENGTHS_BYTES;
    }
  }
  if (length > 0) throw new Error("The last frame was cut short");
}
