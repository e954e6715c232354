import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CompletionInput, completionsApi } from "#contract/conversations/chat-completions.ts";
import { apiKeysApi } from "#contract/integrations/api-keys.ts";
import { placeOf } from "#server/accounts/auth/sign-in.ts";
import { createNoticeSender } from "#server/accounts/mail/notices.ts";
import { notFound, Problem } from "#server/platform/errors.ts";
import { acceptForeignJson } from "#server/platform/http/json-body.ts";
import { disconnectSignal, parse, route } from "#server/platform/http/route.ts";
import { answerByKey } from "./answer.ts";
import { completion, completionStream, errorOf, modelOf, questionOf, requireModel } from "./completions.ts";
import { getDraft, listDrafts } from "./drafts.ts";
import { callerOf, countCalls, type KeyCaller, requireScope } from "./key-caller.ts";
import type { KeyDeps } from "./key-deps.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { admitBatch, answerMcp, mcpErrorOf } from "./mcp.ts";

export function mountKeyRoutes(app: FastifyInstance, deps: KeyDeps): void {
  const { db } = deps;
  const tell = createNoticeSender(app, deps.notices);
  route(app, apiKeysApi.list, ({ caller, params }) => listKeys(db, caller, params.id));
  route(
    app,
    apiKeysApi.create,
    async ({ caller, params, input, request }) => {
      const made = await createKey(db, caller, params.id, input);
      await tell(db, caller.userId, { kind: "api-key-created", detail: placeOf(request) });
      return made;
    },
    { secretAnswer: true },
  );
  route(app, apiKeysApi.revoke, ({ caller, params }) => revokeKey(db, caller, params.id, params.keyId));
  app.otherEndpoints.push(...Object.values(completionsApi));
  app.register(async (v1) => mountCompletions(v1, deps));
  app.register(async (scope) => mountMcp(scope, deps));
}

/** Refuses every request of this scope without a valid key. @returns a function that finds the caller of an admitted request */
function admitKeys(scope: FastifyInstance, db: KeyDeps["db"]): (request: FastifyRequest) => KeyCaller {
  acceptForeignJson(scope);
  const callers = new WeakMap<FastifyRequest, KeyCaller>();
  const caller = (request: FastifyRequest): KeyCaller => callers.get(request)!;
  // The key is checked before the body is read, so that strangers cannot make the server read large bodies.
  scope.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    // The key is in a header that a page's script sets itself, and no cookie counts here, so any page may call.
    reply.header("access-control-allow-origin", "*");
    if (request.method === "OPTIONS") return reply.headers(PREFLIGHT).code(204).send();
    callers.set(request, await callerOf(db, request));
    await countCalls(db, caller(request), 1);
  });
  return caller;
}

/** Answers a browser that asks before a call whether it may send a key and JSON. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version, mcp-session-id",
  "access-control-max-age": "86400",
};

/** Calls of OpenAI's interface that a program may try, and the sentence that names ours. */
const ELSEWHERE =
  /^\/v1\/(?:responses|completions|assistants|threads|embeddings|images|audio|moderations|files|batches)(?:[/?]|$)/;
const ONLY_COMPLETIONS = "Такого вызова нет: двойник отвечает по POST /v1/chat/completions";

function mountCompletions(v1: FastifyInstance, deps: KeyDeps): void {
  const { db, log, toProblem } = deps;
  v1.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    if (problem.status >= 500) log.error({ err: error, requestId: request.id }, "a program's call failed");
    return reply.code(problem.status).headers(problem.headers).send(errorOf(problem));
  });
  const caller = admitKeys(v1, db);

  v1.all("/v1/*", (request) => {
    if (ELSEWHERE.test(request.url)) throw notFound(ONLY_COMPLETIONS);
    throw notFound();
  });
  v1.get(completionsApi.models.path, (request) => ({ object: "list", data: [modelOf(caller(request))] }));
  v1.get<{ Params: { model: string } }>(completionsApi.model.path, (request) => {
    requireModel(caller(request), request.params.model);
    return modelOf(caller(request));
  });
  v1.get(completionsApi.drafts.path, async (request) => {
    requireScope(caller(request), "drafts");
    return { object: "list", data: await listDrafts(db, caller(request)) };
  });
  v1.get(completionsApi.draft.path, (request) => {
    requireScope(caller(request), "drafts");
    return getDraft(db, caller(request), parse(completionsApi.draft.params, request.params).id);
  });
  v1.post(completionsApi.complete.path, async (request, reply) => {
    const who = caller(request);
    requireScope(who, "ask");
    const input = parse(CompletionInput, request.body);
    requireModel(who, input.model);
    const question = questionOf(input);
    const leaving = disconnectSignal(reply);
    const events = answerByKey(deps, who, question, leaving);
    if (input.stream !== true) return completion(who, question.tokens, events);
    // Errors before this point get their own status; later ones are an `error` line.
    await events.next();
    const told = { tokens: question.tokens, includeUsage: input.stream_options?.include_usage === true };
    const lines = completionStream(who, told, events, (error) => {
      if (leaving.aborted) return null;
      log.warn({ err: error, requestId: request.id }, "a streamed completion failed");
      return errorOf(toProblem(error));
    });
    reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
    return reply.send(Readable.from(lines));
  });
}

function mountMcp(scope: FastifyInstance, deps: KeyDeps): void {
  const caller = admitKeys(scope, deps.db);
  scope.setErrorHandler((error, request, reply) => {
    const problem = deps.toProblem(error);
    if (problem.status >= 500) deps.log.error({ err: error, requestId: request.id }, "an assistant's call failed");
    if (problem.status === 401) reply.header("www-authenticate", "Bearer");
    return reply.code(problem.status).headers(problem.headers).send(mcpErrorOf(problem));
  });
  scope.route({
    method: ["GET", "POST", "DELETE", "OPTIONS"],
    url: "/mcp",
    handler: async (request, reply) => {
      requireScope(caller(request), "mcp");
      // GET and DELETE concern sessions of MCP, which are not used here, so only POST is allowed.
      if (request.method !== "POST") {
        reply.header("allow", "POST");
        throw new Problem(405, "method_not_allowed", "Метод не поддерживается");
      }
      await admitBatch(deps.db, caller(request), request.body);
      const { "content-type": type, "mcp-protocol-version": version } = request.headers;
      // The transport insists on both kinds, and the answer is JSON whatever a program accepts.
      const accept = "application/json, text/event-stream";
      const headers = Object.entries({ accept, "content-type": type, "mcp-protocol-version": version });
      const call = new Request("http://twin.invalid/mcp", {
        method: "POST",
        headers: headers.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
      });
      const answer = await answerMcp(deps, caller(request), call, request.body);
      const said = Buffer.from(await answer.arrayBuffer());
      const kind = answer.headers.get("content-type");
      if (kind !== null) reply.header("content-type", kind);
      return said.length === 0 ? reply.code(answer.status).send() : reply.code(answer.status).send(said);
    },
  });
}
