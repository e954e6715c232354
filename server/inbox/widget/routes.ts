import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { RateLimitOptions } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { VISITOR_HEADER, Visitor, type VisitorMessage, visitorApi, widgetApi } from "#contract/integrations/widget.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { network } from "#server/accounts/credentials/login-limit.ts";
import type { AnswerDeps } from "#server/inbox/answering/answer-job.ts";
import { forbidden, tooMany, unavailable } from "#server/platform/errors.ts";
import { parse, route } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { getWidget, listOpenChats, saveWidget } from "./settings.ts";
import {
  type OpenWidget,
  openWidget,
  readConversation,
  receiveVisitorMessage,
  toWidgetFace,
} from "./visitor-conversation.ts";

interface WidgetDeps extends AnswerDeps {
  vault: Vault;
  config: AnswerDeps["config"] & { publicUrl: string };
  /** Folder of the built web application. */
  webRoot: string;
  toProblemBody(error: unknown, requestId: string): ProblemBody;
}

const VISITOR_MESSAGES_PER_MINUTE = 10;
const ADDRESS_MESSAGES_PER_MINUTE = 30;
const ADDRESS_READS_PER_MINUTE = 300;
/** The frame is loaded with each page of the site, and a whole office may share one address. */
export const ADDRESS_FRAMES_PER_MINUTE = 300;

const TOO_MANY_MESSAGES = "Слишком много сообщений подряд. Подождите минуту.";
const TOO_MANY_CALLS = "Слишком много запросов с вашего адреса. Подождите минуту.";

/** Only the frame may be embedded, only in the sites that its owner has listed, and it may connect only to this server. */
const framePolicy = (sites: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    `frame-ancestors ${["'self'", ...sites].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "sandbox allow-scripts allow-same-origin allow-forms",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

export function mountWidgetRoutes(app: FastifyInstance, deps: WidgetDeps): void {
  const { db } = deps;
  route(app, widgetApi.list, ({ caller }) => listOpenChats(db, caller));
  route(app, widgetApi.get, ({ caller, params }) => getWidget(db, caller, params.id));
  route(app, widgetApi.save, ({ caller, params, input }) => saveWidget(deps, caller, params.id, input));
  mountVisitorCalls(app, deps);
}

type WidgetRequest = FastifyRequest<{ Params: { id: string }; Querystring: { language?: string } }>;

function mountVisitorCalls(app: FastifyInstance, deps: WidgetDeps): void {
  const { db } = deps;
  const limiter = (groupId: string, max: number, keyGenerator: (request: FastifyRequest) => string) => {
    const options: RateLimitOptions = { groupId, max, timeWindow: "1 minute", allowList: [], keyGenerator };
    return app.createRateLimit(options);
  };
  const ofVisitor = limiter("widget-visitor", VISITOR_MESSAGES_PER_MINUTE, (request) => visitorOf(request));
  const ofAddress = limiter("widget-address", ADDRESS_MESSAGES_PER_MINUTE, (request) => network(request.ip));
  const reads = limiter("widget-reads", ADDRESS_READS_PER_MINUTE, (request) => network(request.ip));
  const frames = limiter("widget-frames", ADDRESS_FRAMES_PER_MINUTE, (request) => network(request.ip));
  const within = async (limit: ReturnType<typeof limiter>, request: FastifyRequest, said = TOO_MANY_CALLS) => {
    const rate = await limit(request);
    if (!rate.isAllowed && rate.isExceeded) {
      throw tooMany("too_many_requests", said, { retryAfter: rate.ttl / 1000 });
    }
  };

  /** Refuses calls that the browser marks as coming from another site, which may only embed the frame. */
  const requireOwnOrigin = async (request: FastifyRequest) => {
    const from = request.headers["sec-fetch-site"];
    if (from !== undefined && from !== "same-origin") throw forbidden("foreign_origin", "Запрос с чужого сайта");
  };

  app.otherEndpoints.push(...Object.values(visitorApi));
  app.get("/widget/:id", async (request: WidgetRequest, reply) => {
    await within(frames, request);
    const widget = await openWidget(db, request.params.id);
    return sendFrame(reply, deps.webRoot, widget, request.query.language === "en" ? "en/widget.html" : "widget.html");
  });
  app.get(visitorApi.face.path, { onRequest: requireOwnOrigin }, async (request: WidgetRequest) => {
    await within(reads, request);
    return toWidgetFace(await openWidget(db, request.params.id));
  });
  app.get(visitorApi.talk.path, { onRequest: requireOwnOrigin }, async (request: WidgetRequest) => {
    await within(reads, request);
    const { after } = parse(visitorApi.talk.query, request.query);
    return readConversation(db, await openWidget(db, request.params.id), visitorOf(request), after);
  });
  app.post(visitorApi.say.path, { onRequest: requireOwnOrigin }, async (request: WidgetRequest, reply) => {
    const visitor = visitorOf(request);
    await within(ofAddress, request, TOO_MANY_MESSAGES);
    await within(ofVisitor, request, TOO_MANY_MESSAGES);
    const message = parse(visitorApi.say.input, request.body);
    const widget = await openWidget(db, request.params.id);
    const events = new PassThrough();
    await answer(
      deps,
      widget,
      visitor,
      { ...message, address: request.ip },
      { events, requestId: request.id, stopping: app.cutOff },
    );
    reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
    return reply.send(events);
  });
}

/** @throws Problem 400 */
const visitorOf = (request: FastifyRequest): string => parse(Visitor, request.headers[VISITOR_HEADER]);

/** @param page in the language that the site's script requests, because a frame in another site gets no cookie of ours */
async function sendFrame(reply: FastifyReply, root: string, { row }: OpenWidget, page: string): Promise<FastifyReply> {
  reply.header("content-security-policy", framePolicy(row.allowedSites));
  // The content security policy lists the allowed sites; this header could only forbid all.
  reply.removeHeader("x-frame-options");
  const built = [page, "widget.html"].find((name) => existsSync(join(root, name)));
  if (built === undefined) throw unavailable("not_built", "Интерфейс не собран");
  return reply.header("cache-control", "no-cache").sendFile(built);
}

interface Listener {
  events: PassThrough;
  requestId: string;
  /** Aborts when the server waits for answers no longer. */
  stopping: AbortSignal;
}

/**
 * Resolves when the message is stored, which a status of 200 confirms. Then come `open` { disclosing }, `delta` { text } any number of
 * times, and `done` or `error`; afterwards the client reads the result by `talk`.
 * @throws errors of `receiveVisitorMessage` for a message that was not stored
 */
async function answer(
  deps: WidgetDeps,
  widget: OpenWidget,
  visitor: string,
  message: VisitorMessage & { address: string },
  { events, requestId, stopping }: Listener,
): Promise<void> {
  const tell = (event: string, data: object) => {
    if (!events.destroyed) events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const kept = Promise.withResolvers<void>();
  const listener = {
    kept: kept.resolve,
    begins: ({ disclosing }: { disclosing: boolean }) => tell("open", { disclosing }),
    delta: (text: string) => tell("delta", { text }),
  };
  const answered = receiveVisitorMessage(deps, widget, visitor, message, listener, stopping);
  await Promise.race([kept.promise, answered]);
  void answered
    .then(
      () => tell("done", {}),
      (error) => {
        deps.log.warn({ err: error, requestId }, "a visitor was not answered");
        tell("error", deps.toProblemBody(error, requestId));
      },
    )
    .finally(() => events.end());
}
