import type { FastifyInstance } from "fastify";
import { httpRequests, httpSeconds, lastHour } from "#server/platform/process/metrics.ts";

/** The template, because a URL holds ids and search terms, and clients can invent any number of them. */
const UNKNOWN = "(none)";

/** Counts every answered request by its route. */
export function countRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? UNKNOWN;
    httpRequests.inc({ method: request.method, route, status: reply.statusCode });
    httpSeconds.observe(
      { area: route === UNKNOWN ? route : `/${route.split("/")[1] ?? ""}` },
      reply.elapsedTime / 1000,
    );
    // What is refused for the time being is no fault of the program's.
    if (reply.statusCode >= 500 && reply.statusCode !== 503) lastHour.failedRequests.add();
  });
}
