/**
 * Cuts off whoever sends a body so slowly that the connection is only held. Node's own `requestTimeout` counts from the
 * first byte and would end an honest upload of a large export over a slow line; headers are Node's business (`headersTimeout`).
 */
import type { FastifyInstance, FastifyRequest } from "fastify";

interface Limits {
  /** A body other than an upload is complete after so many ms. */
  wholeMs: number;
  /** Of an upload, at least `uploadBytes` come in each such span, unless it is we who do not read on. */
  uploadMs: number;
  uploadBytes: number;
}

const LIMITS: Limits = { wholeMs: 12_000, uploadMs: 15_000, uploadBytes: 8 * 1024 };

const REFUSAL = "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

export function cutSlowBodies(app: FastifyInstance, limits: Limits = LIMITS): void {
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
      // `complete` is unknown where a request came by `inject`, whole.
      if (raw.complete !== false || socket.destroyed) {
        clearInterval(timer);
        return;
      }
      const flows = socket.bytesRead - seen >= uploadBytes;
      // Bytes that lie unread are waiting for us (a document is being read): that is not the sender's fault.
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
