import { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";

// Frontend messages after which the server must answer: Query, Sync, Flush, CopyDone, CopyFail.
const ENDS_BATCH = new Set([..."QSHcf"].map((letter) => letter.charCodeAt(0)));
const TERMINATE = "X".charCodeAt(0);
// AuthenticationOk and ReadyForQuery(idle) of the PostgreSQL protocol 3.0.
const GREETING = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/**
 * Byte stream between `pg` and PGlite: `new Pool({ stream: () => pgliteStream(pglite), max: 1 })`. Messages of one extended query go to the
 * engine in one piece. (`createPgConfig` of `@electric-sql/pglite/node-postgres` 0.5.14 and 0.5.16 reports an error in bind to the next
 * query as well under pg 8.23, so it is not used.)
 */
export function pgliteStream(pglite: PGlite): Duplex {
  let greeted = false;
  let pending: Buffer = Buffer.alloc(0);
  let batch: Buffer[] = [];

  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      receive(chunk).then(
        () => done(),
        (error) => done(error),
      );
    },
    writev(chunks, done) {
      receive(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))).then(
        () => done(),
        (error) => done(error),
      );
    },
    final(done) {
      stream.push(null);
      done();
    },
  });

  async function receive(chunk: Buffer): Promise<void> {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      // A disconnected client sends nothing more; the engine then serves the next client.
      if (stream.destroyed) return;
      // Only the startup message has no type byte.
      const prefix = greeted ? 1 : 0;
      if (pending.length < prefix + 4) return;
      const length = pending.readInt32BE(prefix) + prefix;
      if (pending.length < length) return;
      const message = pending.subarray(0, length);
      pending = pending.subarray(length);
      if (!greeted) {
        greeted = true;
        // The engine is a single lasting session, so the next client would inherit open transactions and prepared statements of a broken
        // one.
        await pglite.exec("rollback; set session authorization default; reset all; deallocate all");
        stream.push(GREETING);
        continue;
      }
      const type = message[0]!;
      if (type === TERMINATE) {
        stream.push(null);
        return;
      }
      batch.push(message);
      if (ENDS_BATCH.has(type)) {
        const request = batch.length === 1 ? batch[0]! : Buffer.concat(batch);
        batch = [];
        const answer: Buffer[] = [];
        // `execProtocolRaw` would also parse and store each message, which is not needed here.
        await pglite.execProtocolRawStream(request, { onRawData: (bytes) => void answer.push(Buffer.from(bytes)) });
        // The engine answers within the same turn of the event loop, so a job with many statements would starve requests.
        await setImmediate();
        if (answer.length > 0) stream.push(answer.length === 1 ? answer[0] : Buffer.concat(answer));
      }
    }
  }

  // Methods that `pg` expects of a socket.
  return Object.assign(stream, {
    connect() {
      pglite.waitReady.then(
        () => stream.emit("connect"),
        (error) => stream.destroy(error),
      );
      return stream;
    },
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  });
}
