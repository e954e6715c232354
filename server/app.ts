/** Builds the Fastify app: authentication, the routes of all features, static files and error responses. */
import { join } from "node:path";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { callerOf, hasSessionCookie } from "./accounts/auth/caller.ts";
import { mountAuthRoutes } from "./accounts/auth/routes.ts";
import { endStreamsWithSession } from "./accounts/auth/stream-end.ts";
import { mountContactRoutes } from "./accounts/contact/routes.ts";
import { mountNotificationRoutes } from "./accounts/notifications/routes.ts";
import { mountOrganizationRoutes } from "./accounts/organizations/routes.ts";
import { mountTwinRoutes } from "./accounts/twins/routes.ts";
import { mountExamRoutes } from "./answers/exam/routes.ts";
import { mountQualityRoutes } from "./answers/fidelity/routes.ts";
import { proposesCalls } from "./answers/replies/generator.ts";
import { withModels } from "./answers/replies/models.ts";
import { mountReplyRoutes } from "./answers/replies/routes.ts";
import { mountTrainingPairsRoutes } from "./answers/training-pairs/routes.ts";
import { mountShowcaseRoutes } from "./demo/showcase/routes.ts";
import { demoArrivals } from "./demo/workspace/demo-arrivals.ts";
import { mountImportRoutes } from "./imports/routes.ts";
import { mountActionRoutes } from "./inbox/actions/routes.ts";
import { mountKeyRoutes } from "./inbox/api-keys/routes.ts";
import { mountChannelRoutes } from "./inbox/channel-routes.ts";
import { type Live, openLive } from "./inbox/conversations/live.ts";
import { mountLiveRoutes } from "./inbox/conversations/live-routes.ts";
import { mountConversationRoutes } from "./inbox/conversations/routes.ts";
import { mountCrmRoutes } from "./inbox/crm/routes.ts";
import { mountGapRoutes } from "./inbox/gaps/routes.ts";
import { mountIntegrationRoutes } from "./inbox/integrations/routes.ts";
import { mountLookupRoutes } from "./inbox/lookup/routes.ts";
import { mountWebhooks } from "./inbox/receiving/webhook.ts";
import { mountTwinExamRoutes } from "./inbox/twin-exam/routes.ts";
import { mountOutgoingWebhooks } from "./inbox/webhooks/routes.ts";
import { mountStyleSampleRoutes } from "./inbox/what-to-ask/routes.ts";
import { mountWidgetRoutes } from "./inbox/widget/routes.ts";
import { mountCorrectionRoutes } from "./knowledge/corrections/routes.ts";
import { mountOrganizationSearchRoutes } from "./knowledge/embeddings/routes.ts";
import { mountFactRoutes } from "./knowledge/facts/routes.ts";
import { mountKnowledgeRoutes } from "./knowledge/knowledge-base/routes.ts";
import { mountOpenReplyRoutes } from "./knowledge/public-replies/routes.ts";
import { mountSelfPresentationRoutes } from "./knowledge/style/self/routes.ts";
import { mountModelRoutes } from "./models/local/routes.ts";
import { mountMediaReaderRoutes } from "./models/media/routes.ts";
import { mountRemoteModelRoutes } from "./models/remote/routes.ts";
import { mountAnalyticsRoutes } from "./operations/analytics/routes.ts";
import { mountMetrics } from "./operations/health/metrics.ts";
import { mountReadiness } from "./operations/health/readiness.ts";
import { mountHealthRoutes } from "./operations/health/routes.ts";
import { mountOffboardingRoutes } from "./operations/offboarding/routes.ts";
import { mountRecordRoutes } from "./operations/records/routes.ts";
import { runForCaller } from "./platform/db/caller-priority.ts";
import { refuseWithoutRoom } from "./platform/db-upkeep/refuse-without-room.ts";
import { notFound, Problem } from "./platform/errors.ts";
import {
  answerErrors,
  answerProblem,
  refuseBrokenRequest,
  toProblem,
  toProblemBody,
} from "./platform/http/answer-errors.ts";
import { countRequests } from "./platform/http/count-requests.ts";
import { runIdempotently } from "./platform/http/idempotency.ts";
import { acceptStrictJson } from "./platform/http/json-body.ts";
import { refuseForeignHosts } from "./platform/http/own-hosts.ts";
import { refuseWhenClosing } from "./platform/http/refuse-when-closing.ts";
import { requestIds } from "./platform/http/request-id.ts";
import { addSecurityHeaders } from "./platform/http/security-headers.ts";
import { openSharedCounts } from "./platform/http/shared-counts.ts";
import { shedLoad } from "./platform/http/shed-load.ts";
import { guardAgainstSlowRequests } from "./platform/http/slow-request-guard.ts";
import { traceRequests } from "./platform/http/trace-requests.ts";
import { mountOpenApi } from "./platform/pages/openapi.ts";
import { mountSecurityTxt } from "./platform/pages/security-txt.ts";
import { serveWeb } from "./platform/pages/web-files.ts";
import { backgroundThrottle } from "./platform/process/background-throttle.ts";
import { beginLabelled } from "./platform/process/event-loop-monitor.ts";
import { FairScheduler } from "./platform/process/fair-scheduler.ts";
import { LoadShedder } from "./platform/process/load-shedder.ts";
import { loopDelay } from "./platform/process/loop-delay.ts";
import type { Services } from "./services.ts";

export const WEB_ROOT = join(import.meta.dirname, "..", "dist", "web");

/** Builds the app of a process that serves no users: liveness, readiness and metrics only. */
export async function createHealthApp(services: Services): Promise<FastifyInstance> {
  const app = openFastify(services);
  mountReadiness(app, services.readiness);
  mountMetrics(app, services);
  app.setNotFoundHandler((request, reply) => answerProblem(reply, notFound(), request.id));
  return app;
}

export async function createApp(
  services: Services,
  options: {
    checkAnswers?: boolean;
    streams?: { checkMs: number; graceMs: number };
    live?: Live;
    webRoot?: string;
    shedder?: LoadShedder;
  } = {},
): Promise<FastifyInstance> {
  const { config, db, log } = services;
  const app = openFastify(services);
  app.decorate("endpoints", []);
  app.decorate("otherEndpoints", []);
  app.decorate("checkAnswers", options.checkAnswers ?? false);
  app.decorate("runIdempotently", runIdempotently(db));
  app.decorate("expensiveRequestLimiter", new FairScheduler());
  app.decorateRequest("caller", null);
  traceRequests(app, config);
  const queues = { connections: () => db.$requests.longestWaitMs, turns: () => app.expensiveRequestLimiter.waiting };
  refuseWithoutRoom(app, services.writing);
  shedLoad(app, options.shedder ?? new LoadShedder(() => loopDelay.smoothedMs, queues));

  await app.register(cookie);
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fieldNameSize: 100, fieldSize: 100_000, fields: 20, files: 20, parts: 40, headerPairs: 50 },
  });
  // Only one process can open the embedded database, so it needs no shared counters.
  const counts = services.database.kind === "embedded" ? null : await openSharedCounts(services.database, log);
  app.addHook("onClose", () => counts?.close());
  await app.register(rateLimit, {
    ...(counts && { store: counts.Store }),
    global: true,
    max: config.requestsPerMinute,
    timeWindow: "1 minute",
    allowList: (request) => config.requestsPerMinute === 0 || !isCall(request),
    errorResponseBuilder: (_request, context) =>
      new Problem(429, "too_many_requests", `Слишком много запросов. Повторите через ${context.after}.`, {
        retryAfter: context.ttl / 1000,
      }),
  });
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: config.publicUrl.startsWith("https:") ? { maxAge: 31_536_000 } : false,
  });
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook("onRequest", async (request) => {
    // The log contains the route, not the URL, because a URL contains ids and search terms.
    const ended = beginLabelled(`${request.method} ${request.routeOptions.url ?? "(none)"}`);
    if (!isCall(request)) return void ends.set(request, ended);
    // Calls outside /api come from programs and site visitors. Most of them ask a twin, so they count as expensive.
    const answered = backgroundThrottle.begin({
      expensive: request.routeOptions.config.costly === true || !isApi(request),
    });
    ends.set(request, () => {
      ended();
      answered();
    });
  });
  app.addHook("onResponse", async (request) => ends.get(request)?.());
  addSecurityHeaders(app, config.telegramBot !== null);
  app.addHook("onSend", async (request, reply) => {
    if (isCall(request)) reply.header("cache-control", "no-store");
  });
  // The embedded database has one connection: callers take turns on it, and users come before jobs.
  app.addHook("onRequest", (request, _reply, done) => runForCaller(askerOf(request), done));
  app.addHook("onRequest", async (request) => {
    if (isApi(request)) request.caller = await callerOf(db, request);
  });
  // The context is entered again, because body handlers run outside the async context of the headers.
  app.addHook("preHandler", (request, _reply, done) => runForCaller(askerOf(request), done));
  endStreamsWithSession(app, db, options.streams);

  mountReadiness(app, services.readiness);
  mountMetrics(app, services);
  mountSecurityTxt(app, config);
  const webRoot = options.webRoot ?? WEB_ROOT;
  mountFeatures(app, services, webRoot);
  mountLiveRoutes(app, {
    live: options.live ?? (await openLive(services.database, log)),
    toProblemBody,
    ...(config.demo && { watching: demoArrivals(services) }),
  });
  await serveWeb(app, webRoot, config.publicUrl, hasSessionCookie);
  return app;
}

function openFastify({ config, log }: Pick<Services, "config" | "log">): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(config),
    // Only one hop is trusted: the X-Forwarded-For entry that our own proxy adds. A client can forge the others.
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: 1024 * 1024,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    http: { headersTimeout: 8000, connectionsCheckingInterval: 1000 },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // `refuseWhenClosing` responds instead, in the API's own error format.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) => answerProblem(reply as never, toProblem(error), request.id),
    clientErrorHandler: refuseBrokenRequest,
  }) as unknown as FastifyInstance;
  refuseForeignHosts(app, config);
  acceptStrictJson(app);
  answerErrors(app);
  refuseWhenClosing(app);
  guardAgainstSlowRequests(app);
  countRequests(app);
  return app;
}

/**
 * Returns whether the request is an API call. The matched route decides, because a URL spelt `/%61pi/…` or with a host would evade the rate
 * limit. Without a matched route the URL decides.
 */
const isApi = (request: FastifyRequest): boolean => /^\/api(\/|$)/.test(request.routeOptions.url ?? request.url);
/** Returns whether programs make the call, with a session or an API key. Such responses are rate-limited by address and never cached. */
const isCall = (request: FastifyRequest): boolean =>
  /^\/(api|v1|mcp|widget\/:id\/\w+)(\/|$)/.test(request.routeOptions.url ?? request.url);

/**
 * Returns the rate limit key: the session or API key, even before it is verified; otherwise the IP address, which many clients may share.
 */
const askerOf = ({ headers, ip }: FastifyRequest): string => headers.authorization ?? headers.cookie ?? ip ?? "unknown";

function mountFeatures(app: FastifyInstance, services: Services, webRoot: string): void {
  mountAuthRoutes(app, services);
  mountContactRoutes(app, services);
  mountOrganizationRoutes(app, services);
  mountOffboardingRoutes(app, services);
  mountTwinRoutes(app, services);
  mountKnowledgeRoutes(app, services);
  mountModelRoutes(app, services);
  mountRemoteModelRoutes(app, services);
  mountOrganizationSearchRoutes(app, services);
  mountExamRoutes(app, services);
  mountMediaReaderRoutes(app, services);
  mountReplyRoutes(app, services);
  mountQualityRoutes(app, services);
  mountOpenReplyRoutes(app, services);
  mountStyleSampleRoutes(app, services);
  mountSelfPresentationRoutes(app, services);
  mountCorrectionRoutes(app, services, (caller) => withModels(services, caller));
  mountFactRoutes(app, services, (caller) => withModels(services, caller));
  mountTrainingPairsRoutes(app, services);
  mountChannelRoutes(app, services);
  mountGapRoutes(app, services);
  mountTwinExamRoutes(app, services);
  mountIntegrationRoutes(app, services);
  mountWebhooks(app, services);
  mountImportRoutes(app, services);
  mountConversationRoutes(app, { ...services, toProblemBody });
  mountActionRoutes(app, {
    ...services,
    proposesCalls: async (tenant) => proposesCalls((await withModels(services, tenant)).generator),
  });
  mountLookupRoutes(app, services);
  mountOutgoingWebhooks(app, services);
  mountNotificationRoutes(app, services);
  mountCrmRoutes(app, services);
  mountKeyRoutes(app, { ...services, notices: services, toProblem });
  mountWidgetRoutes(app, { ...services, webRoot, toProblemBody });
  mountAnalyticsRoutes(app, services);
  mountRecordRoutes(app, services);
  mountShowcaseRoutes(app, { log: services.log, toProblemBody });
  mountHealthRoutes(app, services);
  mountOpenApi(app, services.config.publicUrl);
}
