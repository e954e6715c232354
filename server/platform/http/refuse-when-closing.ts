import type { FastifyInstance } from "fastify";
import { Problem } from "#server/platform/errors.ts";

/** While the server stops, requests on open connections are refused, so that clients retry them elsewhere. */
export function refuseWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onRequest", async () => {
    if (!closing) return;
    throw new Problem(503, "stopping", "Сервер перезапускается. Повторите через несколько секунд.", { retryAfter: 5 });
  });
  // Without this header the connection of a response in progress would be kept alive, and the server would never stop.
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
  app.addHook("onResponse", async () => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
}
