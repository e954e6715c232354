/** The Fastify app: who is calling, every feature mounted, static files, error answers. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import statics from "@fastify/static";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { ProblemBody } from "#contract/problem.ts";
import { mountAnalyticsRoutes } from "./analytics/routes.ts";
import { mountKeyRoutes } from "./api-keys/routes.ts";
import { mountAuthRoutes } from "./auth/routes.ts";
import { endStreamsWithSession } from "./auth/stream-end.ts";
import { viewerOf } from "./auth/viewer.ts";
import { mountChannelRoutes } from "./channels/routes.ts";
import { mountWebhooks } from "./channels/webhook.ts";
import { mountContactRoutes } from "./contact/routes.ts";
import { type Live, openLive } from "./conversations/live.ts";
import { mountLiveRoutes } from "./conversations/live-routes.ts";
import { mountConversationRoutes } from "./conversations/routes.ts";
import { mountCorrectionRoutes } from "./corrections/routes.ts";
import { isDatabaseAway, sqlState } from "./db/database.ts";
import { askingFor } from "./db/lanes.ts";
import { Problem } from "./errors.ts";
import { mountFactRoutes } from "./facts/routes.ts";
import { FairTurns } from "./fair-turns.ts";
import { mountQualityRoutes } from "./fidelity/routes.ts";
import { answerOnce } from "./idempotency.ts";
import { mountImportRoutes } from "./imports/routes.ts";
import { acceptStrictJson } from "./json-body.ts";
import { mountKnowledgeRoutes } from "./knowledge/routes.ts";
import { mountLandingPage } from "./landing-page.ts";
import { begin } from "./loop-watch.ts";
import { mountOffboardingRoutes } from "./offboarding/routes.ts";
import { mountOpenReplyRoutes } from "./open-replies/routes.ts";
import { mountOpenApi } from "./openapi/routes.ts";
import { mountOrganizationRoutes } from "./organizations/routes.ts";
import { PERMISSIONS_POLICY } from "./permissions-policy.ts";
import { createReadiness } from "./readiness.ts";
import { mountRecordRoutes } from "./records/routes.ts";
import { withModels } from "./replies/models.ts";
import { mountReplyRoutes } from "./replies/routes.ts";
import type { Services } from "./services.ts";
import { cutSlowBodies } from "./slow-bodies.ts";
import { mountTwinRoutes } from "./twins/routes.ts";
import { mountOutgoingWebhooks } from "./webhooks/routes.ts";
import { mountWidgetRoutes } from "./widget/routes.ts";

export const WEB_ROOT = join(import.meta.dirname, "..", "dist", "web");

/** Telegram's widget is the one foreign script, and /login the one page that may load it. */
const contentSecurityPolicy = (telegram: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${telegram ? " https://telegram.org" : ""}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: https://t.me",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-src ${telegram ? "https://oauth.telegram.org" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");

export async function createApp(
  services: Services,
  options: {
    checkAnswers?: boolean;
    streams?: { checkMs: number; graceMs: number };
    live?: Live;
    webRoot?: string;
  } = {},
): Promise<FastifyInstance> {
  const { config, db, log } = services;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One hop: of X-Forwarded-For only what the proxy in front of us has added is believed, the rest is the client's own.
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: 1024 * 1024,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    http: { headersTimeout: 8000, connectionsCheckingInterval: 1000 },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // Answered in our own words by `refuseWhenClosing`.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) => answer(reply as never, toProblem(error), request.id),
    clientErrorHandler: refuseBrokenRequest,
  }) as unknown as FastifyInstance;

  app.decorate("endpoints", []);
  app.decorate("otherEndpoints", []);
  app.decorate("checkAnswers", options.checkAnswers ?? false);
  app.decorate("answerOnce", answerOnce(db));
  app.decorate("turns", new FairTurns());
  app.decorateRequest("viewer", null);
  acceptStrictJson(app);
  answerErrors(app);
  refuseWhenClosing(app);
  cutSlowBodies(app);

  await app.register(cookie);
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fieldNameSize: 100, fieldSize: 100_000, fields: 20, files: 20, parts: 40, headerPairs: 50 },
  });
  await app.register(rateLimit, {
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
    // The route, not the address: that holds ids and what was searched for.
    ends.set(request, begin(`${request.method} ${request.routeOptions.url ?? "(none)"}`));
  });
  app.addHook("onResponse", async (request) => ends.get(request)?.());
  app.addHook("onSend", async (request, reply) => {
    const telegram = config.telegramBot !== null && /^\/login\/?(\?|$)/.test(request.url);
    if (!reply.hasHeader("content-security-policy"))
      reply.header("content-security-policy", contentSecurityPolicy(telegram));
    reply.header("permissions-policy", PERMISSIONS_POLICY);
    // Other sites' pages load it by a script tag.
    if (/^\/widget\.js(\?|$)/.test(request.url)) reply.header("cross-origin-resource-policy", "cross-origin");
    // Telegram's button opens a window of its own site and waits for its answer; helmet's «same-origin» would part them.
    if (telegram) reply.header("cross-origin-opener-policy", "same-origin-allow-popups");
    if (isCall(request)) reply.header("cache-control", "no-store");
  });
  // The embedded database's one connection is given to people in turn, and before jobs.
  app.addHook("onRequest", (request, _reply, done) => askingFor(callerOf(request), done));
  app.addHook("onRequest", async (request) => {
    if (isApi(request)) request.viewer = await viewerOf(db, request);
  });
  // Once more: what a body's bytes set going runs outside of what the headers had begun.
  app.addHook("preHandler", (request, _reply, done) => askingFor(callerOf(request), done));
  endStreamsWithSession(app, db, options.streams);

  app.get("/healthz", () => ({ status: "ok" }));
  const checkReady = createReadiness(db);
  app.get("/readyz", async () => {
    await checkReady();
    return { status: "ok" };
  });
  const webRoot = options.webRoot ?? WEB_ROOT;
  mountFeatures(app, services, webRoot);
  mountLiveRoutes(app, { live: options.live ?? (await openLive(services.database, log)), toProblemBody });
  await serveWeb(app, webRoot, config.publicUrl);
  return app;
}

/**
 * Whether a call of the API was meant. The route decides: the address itself may be written as `/%61pi/…` or with a host,
 * and would then pass by the rate limit. Without a route the address is all there is.
 */
const isApi = (request: FastifyRequest): boolean => /^\/api(\/|$)/.test(request.routeOptions.url ?? request.url);
/** The same for whatever programs call, with a session or with a key: limited by address, kept by nobody. */
const isCall = (request: FastifyRequest): boolean =>
  /^\/(api|v1|mcp|widget\/:id\/\w+)(\/|$)/.test(request.routeOptions.url ?? request.url);

/** One session or key, before it is known whose; an address where there is none, for many may share one. */
const callerOf = ({ headers, ip }: FastifyRequest): string =>
  headers.authorization ?? headers.cookie ?? ip ?? "unknown";

function mountFeatures(app: FastifyInstance, services: Services, webRoot: string): void {
  mountAuthRoutes(app, services);
  mountContactRoutes(app, services);
  mountOrganizationRoutes(app, services);
  mountOffboardingRoutes(app, services);
  mountTwinRoutes(app, services);
  mountKnowledgeRoutes(app, services);
  mountReplyRoutes(app, services);
  mountQualityRoutes(app, services);
  mountOpenReplyRoutes(app, services);
  mountCorrectionRoutes(app, services, (viewer) => withModels(services, viewer));
  mountFactRoutes(app, services);
  mountChannelRoutes(app, services);
  mountWebhooks(app, services);
  mountImportRoutes(app, services);
  mountConversationRoutes(app, { ...services, toProblemBody });
  mountOutgoingWebhooks(app, services);
  mountKeyRoutes(app, { ...services, notices: services, toProblem });
  mountWidgetRoutes(app, { ...services, webRoot, toProblemBody });
  mountAnalyticsRoutes(app, services);
  mountRecordRoutes(app, services);
  mountOpenApi(app, services.config.publicUrl);
}

/** The built web: hashed assets for ever, the page for every other address that a browser opens. */
async function serveWeb(app: FastifyInstance, root: string, publicUrl: string): Promise<void> {
  const built = existsSync(root);
  if (built) {
    const assets = join(root, "assets");
    await app.register(statics, {
      root,
      index: false,
      preCompressed: true,
      cacheControl: false,
      wildcard: false,
      // Served by routes of their own: by any name, with this installation's address in it, with its policy.
      globIgnore: ["assets/**", "landing.html*", "widget.html*"],
      setHeaders: (reply, path) =>
        reply.header("cache-control", path.startsWith(assets) ? "public, max-age=31536000, immutable" : "no-cache"),
    });
    // Any name: a build may be laid under a server that runs. The plugin's own wildcard would list the folder for each file, half
    // of what a file costs.
    app.get<{ Params: { name: string } }>("/assets/:name", (request, reply) =>
      reply.sendFile(request.params.name, assets),
    );
    mountLandingPage(app, root, publicUrl);
  }
  app.setNotFoundHandler(async (request, reply) => {
    const page =
      built && ["GET", "HEAD"].includes(request.method) && !/^\/(api|v1|mcp|widget|assets)([/?]|$)/.test(request.url);
    if (page) return reply.header("cache-control", "no-cache").sendFile("index.html");
    return answer(reply, new Problem(404, "not_found", "Не найдено"), request.id);
  });
}

function answer(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  return reply.code(problem.status).headers(problem.headers).send(toProblemBody(problem, requestId));
}

/** The body of an error answer; streams send it as an event, after their headers are gone. */
function toProblemBody(error: unknown, requestId: string): ProblemBody {
  const problem = toProblem(error);
  const body: ProblemBody = { message: problem.message, code: problem.code, requestId };
  if (problem.fields !== undefined) body.fields = problem.fields;
  return body;
}

/** What Fastify and its plugins throw, in our words. */
const FASTIFY_PROBLEMS: Record<number, [code: string, message: string]> = {
  400: ["bad_request", "Неверный запрос"],
  404: ["not_found", "Не найдено"],
  405: ["method_not_allowed", "Метод не поддерживается"],
  406: ["not_acceptable", "Ожидалась загрузка файла (multipart/form-data)"],
  408: ["timeout", "Запрос не пришёл вовремя"],
  413: ["too_large", "Слишком большой запрос"],
  414: ["uri_too_long", "Слишком длинный адрес"],
  415: ["unsupported_media_type", "Ожидался запрос в формате JSON"],
  431: ["headers_too_large", "Слишком большие заголовки"],
};

/** While the server stops, what comes over a connection that is still open is sent away, to be repeated at once elsewhere. */
function refuseWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onRequest", async () => {
    if (!closing) return;
    throw new Problem(503, "stopping", "Сервер перезапускается. Повторите через несколько секунд.", { retryAfter: 5 });
  });
  // Else the connection of an answer that was in flight stays open for the next one, and the server never ends.
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
  app.addHook("onResponse", async () => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
}

/** What is no HTTP request has no route and no reply: the answer is written by hand. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const [code, message] = FASTIFY_PROBLEMS[status]!;
  const body = JSON.stringify({ message, code, requestId: randomUUID() } satisfies ProblemBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  if (socket.writable) socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroy(error);
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem | Error, request, reply) => {
    const problem = toProblem(error);
    // The route, not the address: a search's words stand in that.
    const route = `${request.method} ${request.routeOptions.url ?? ""}`;
    if (reply.raw.destroyed && error.name === "AbortError")
      request.log.debug({ requestId: request.id, route }, "reader left");
    else if (problem.status >= 500) request.log.error({ err: error, requestId: request.id, route }, "request failed");
    else if (problem.cause !== undefined || problem.detail !== undefined) {
      request.log.info({ err: problem, requestId: request.id }, "request refused");
    }
    return answer(reply, problem, request.id);
  });
}

/** PostgreSQL has taken everything back: what a new row belongs to went meanwhile, or two calls waited for each other. */
const LOST_RACES = new Set(["23503", "40001", "40P01"]);

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) {
    return new Problem(503, "database_away", "База данных временно недоступна. Повторите через несколько секунд.", {
      cause: error,
      retryAfter: 5,
    });
  }
  // A text or an id that PostgreSQL cannot take is the caller's, whatever way it came.
  if (sqlState(error)?.startsWith("22")) return new Problem(400, "invalid_input", "Неверный запрос", { cause: error });
  if (LOST_RACES.has(sqlState(error) ?? "")) {
    const said = "Это только что изменили или удалили. Обновите страницу и повторите.";
    return new Problem(409, "changed_meanwhile", said, { cause: error });
  }
  const status = (error as FastifyError).statusCode;
  const known = status === undefined ? undefined : FASTIFY_PROBLEMS[status];
  if (known !== undefined) return new Problem(status!, known[0], known[1], { cause: error });
  if (status !== undefined && status >= 400 && status < 500)
    return new Problem(status, "bad_request", "Неверный запрос");
  return new Problem(500, "internal", "Внутренняя ошибка. Мы уже знаем о ней.", { cause: error });
}
