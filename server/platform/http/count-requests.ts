import type { FastifyInstance } from "fastify";
import { httpRequests, httpSeconds, lastHour } from "#server/platform/process/metrics.ts";

/** Metrics use the route's template, because a URL holds ids and search terms, and clients can invent any number of URLs. */
const UNKNOWN = "(none)";

export function countRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? UNKNOWN;
    httpRequests.inc({ method: request.method, route, status: reply.statusCode });
    httpSeconds.observe(
      { area: route === UNKNOWN ? route : `/${route.split("/")[1] ?? ""}` },
      reply.elapsedTime / 1000,
    );
    // A temporary refusal (503) is not a fault of the program.
    if (reply.statusCode >= 500 && reply.statusCode !== 503) lastHour.failedRequests.add();
  });
}
