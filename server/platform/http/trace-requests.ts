/** Starts a span for every request, named by its route, because a URL holds ids and search terms. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "#server/platform/config.ts";
import { beginSpan, inSpan, isTracing, type OpenSpan } from "#server/platform/process/tracing.ts";

const UNKNOWN = "(none)";
/** Paths that monitoring requests every few seconds; they get no span. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

export function traceRequests(app: FastifyInstance, { trustProxy }: Pick<Config, "trustProxy">): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url ?? UNKNOWN;
    if (PROBES.has(route)) return done();
    const span = beginSpan(`${method} ${route}`, {
      kind: "server",
      attributes: { "http.request.method": method, "http.route": route, "twins.request_id": request.id },
      // Only a trusted proxy may choose the parent trace of a request.
      parent: trustProxy && typeof headers.traceparent === "string" ? headers.traceparent : undefined,
    });
    if (span !== null) spans.set(request, span);
    inSpan(span, done);
  });
  // The span is entered again, because body handlers run outside the async context that was entered with the headers.
  app.addHook("preHandler", (request, _reply, done) => inSpan(spans.get(request), done));
  app.addHook("onResponse", async (request, reply) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": reply.statusCode });
    span?.end(reply.statusCode >= 500 ? { code: String(reply.statusCode) } : undefined);
  });
}
