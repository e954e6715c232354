/** Turns every error into a response: a status, a code and the Russian sentence for users. */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { ErrorCode } from "#contract/error-codes.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { isDatabaseAway, isLostRace, isOutOfSpace, sqlState } from "#server/platform/db/database.ts";
import { cannotWrite, Problem } from "#server/platform/errors.ts";

export function answerProblem(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  return reply.code(problem.status).headers(problem.headers).send(toProblemBody(problem, requestId));
}

/** Builds the body of an error response; a stream whose headers are sent already sends it as an event. */
export function toProblemBody(error: unknown, requestId: string): ProblemBody {
  const problem = toProblem(error);
  const body: ProblemBody = { message: problem.message, code: problem.code, requestId };
  if (problem.fields !== undefined) body.fields = problem.fields;
  return body;
}

/** Translates errors of Fastify and its plugins into problems with our codes and messages. */
const FASTIFY_PROBLEMS: Record<number, [code: ErrorCode, message: string]> = {
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

/** Answers input that is not valid HTTP. There is no route and no reply object, so the response is written to the socket. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
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

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem | Error, request, reply) => {
    const problem = toProblem(error);
    // The route is logged, not the URL, which contains search terms.
    const route = `${request.method} ${request.routeOptions.url ?? ""}`;
    if (reply.raw.destroyed && error.name === "AbortError")
      request.log.debug({ requestId: request.id, route }, "reader left");
    else if (problem.status >= 500) request.log.error({ err: error, requestId: request.id, route }, "request failed");
    else if (problem.cause !== undefined || problem.detail !== undefined) {
      request.log.info({ err: problem, requestId: request.id }, "request refused");
    }
    return answerProblem(reply, problem, request.id);
  });
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isOutOfSpace(error)) return cannotWrite(error);
  if (isDatabaseAway(error)) {
    return new Problem(503, "database_away", "База данных временно недоступна. Повторите через несколько секунд.", {
      cause: error,
      retryAfter: 5,
    });
  }
  // A text or an id that PostgreSQL refuses always comes from the caller, so it is a bad request.
  if (sqlState(error)?.startsWith("22")) return new Problem(400, "invalid_input", "Неверный запрос", { cause: error });
  if (isLostRace(error)) {
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
