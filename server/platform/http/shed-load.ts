import type { FastifyInstance, FastifyRequest } from "fastify";
import { unavailable } from "#server/platform/errors.ts";
import type { LoadShedder } from "#server/platform/process/load-shedder.ts";
import { shedRequests } from "#server/platform/process/metrics.ts";

/** Seconds of Retry-After; each client gets a different number, so that they do not all retry at once. */
const WAIT = { least: 3, most: 8 };

/** Paths that are never refused: sign-in, what the web app needs to start, and health checks. */
const ALWAYS = /^\/(?:healthz|readyz|metrics|api\/(?:auth|config|admin\/health)(?:\/|$))/;
/** Paths of calls, which may be refused; pages and files never are. */
const CALLS = /^\/(?:api|v1|mcp|hooks|widget\/:id\/\w+)(?:\/|$)/;

/** Refuses calls while the event loop is late or queues are long. It does so before any work on them, so that a retry is always safe. */
export function shedLoad(app: FastifyInstance, shedder: LoadShedder): void {
  app.addHook("onRequest", async (request) => {
    const { level, reason } = shedder.look();
    if (level === 0 || !isShed(request, level)) return;
    shedRequests.inc({ reason });
    const retryAfter = WAIT.least + Math.random() * (WAIT.most - WAIT.least);
    throw unavailable("overloaded", "Сервер сейчас занят. Повторите через несколько секунд.", { retryAfter });
  });
}

function isShed({ routeOptions, url }: FastifyRequest, level: 1 | 2): boolean {
  const route = routeOptions.url ?? url;
  return level === 1 ? routeOptions.config.costly === true : CALLS.test(route) && !ALWAYS.test(route);
}
