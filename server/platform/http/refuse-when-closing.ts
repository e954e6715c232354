/** Ends the answering of requests: new ones are refused, those under way may finish within a bound, and then the rest is cut off. */
import type { FastifyInstance } from "fastify";
import { Problem } from "#server/platform/errors.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Aborts when the server stops waiting for answers under way. Long answers end by it in their own way. */
    cutOff: AbortSignal;
    /**
     * Refuses new requests with 503, while the port stays open, and resolves when none is under way, at the latest after `withinMs`.
     * @returns whether all were answered
     */
    drain(withinMs: number): Promise<boolean>;
  }
  interface FastifyContextConfig {
    /** The response never ends on its own, so nobody waits for its end. */
    endless?: boolean;
  }
}

/** Answered to the end, because who watches the process wants to know that it still lives. */
const WATCHED = new Set(["/healthz", "/readyz", "/metrics"]);

/** While the server stops, requests are refused, so that clients retry them elsewhere or later. */
export function refuseWhenClosing(app: FastifyInstance): void {
  let closing = false;
  let ending = false;
  let underWay = 0;
  let answered = () => {};
  const cutOff = new AbortController();
  app.decorate("cutOff", cutOff.signal);
  app.decorate("drain", async (withinMs: number) => {
    closing = true;
    const { promise: idle, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), withinMs);
    answered = () => underWay === 0 && resolve(true);
    answered();
    const all = await idle;
    clearTimeout(timer);
    cutOff.abort(new Problem(503, "stopping", STOPPING, { retryAfter: 5 }));
    return all;
  });
  app.addHook("preClose", async () => {
    closing = true;
    ending = true;
    cutOff.abort(new Problem(503, "stopping", STOPPING, { retryAfter: 5 }));
  });
  app.addHook("onRequest", async (request, reply) => {
    if (closing && !WATCHED.has(request.routeOptions.url ?? ""))
      throw new Problem(503, "stopping", STOPPING, { retryAfter: 5 });
    if (request.routeOptions.config.endless) return;
    underWay++;
    // A client that leaves early counts as answered: what goes on without him is finished after the next start.
    reply.raw.once("close", () => {
      underWay--;
      answered();
    });
  });
  // Without this header the connection of a response in progress would be kept alive, and the server would never stop.
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
  // Not while requests are refused: a client may be about to use its idle connection.
  app.addHook("onResponse", async () => {
    if (ending) setImmediate(() => app.server.closeIdleConnections());
  });
}

const STOPPING = "Сервер перезапускается. Повторите через несколько секунд.";
