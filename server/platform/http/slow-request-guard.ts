/**
 * Disconnects clients that send a body so slowly that they only occupy the connection. Node's `requestTimeout` counts from the first byte
 * and would end a legitimate upload of a large export over a slow line. Node itself limits headers (`headersTimeout`).
 */
import type { FastifyInstance, FastifyRequest } from "fastify";

interface Limits {
  /** Time within which a body that is not an upload must be complete, ms. */
  wholeMs: number;
  /** An upload must deliver at least `uploadBytes` in each period of this many ms, unless the server itself has stopped reading. */
  uploadMs: number;
  uploadBytes: number;
}

const LIMITS: Limits = { wholeMs: 12_000, uploadMs: 15_000, uploadBytes: 8 * 1024 };

const REFUSAL = "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

export function guardAgainstSlowRequests(app: FastifyInstance, limits: Limits = LIMITS): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (hasBody(request)) watch(request, limits);
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

function watch({ raw, headers }: FastifyRequest, { wholeMs, uploadMs, uploadBytes }: Limits): void {
  const { socket } = raw;
  const upload = /^(?:multipart\/|application\/octet-stream)/.test(headers["content-type"] ?? "");
  let seen = socket.bytesRead;
  const timer = setInterval(
    () => {
      // `complete` is undefined for a request made with `inject`, which arrives complete.
      if (raw.complete !== false || socket.destroyed) {
        clearInterval(timer);
        return;
      }
      const flows = socket.bytesRead - seen >= uploadBytes;
      // Unread bytes wait for the server, for example while it parses a document, so the client is not slow.
      if (upload && (flows || raw.readableLength > 0)) {
        seen = socket.bytesRead;
        return;
      }
      clearInterval(timer);
      socket.end(REFUSAL);
      raw.destroy();
    },
    upload ? uploadMs : wholeMs,
  );
  timer.unref();
  raw.once("end", () => clearInterval(timer));
  raw.once("close", () => clearInterval(timer));
}
