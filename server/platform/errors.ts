import type { ErrorCode } from "#contract/error-codes.ts";

/**
 * An expected failure, caused by the caller or by the environment. `message` is the Russian sentence that the
 * user reads, `code` is stable for programs; information for the log only belongs in `cause` and `detail`.
 */
export class Problem extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  readonly detail: string | undefined;
  readonly fields: Record<string, string> | undefined;

  constructor(status: number, code: ErrorCode, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.headers = options.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(options.retryAfter)) };
    this.detail = options.detail;
    this.fields = options.fields;
  }
}

interface ProblemOptions {
  cause?: unknown;
  /** Seconds; sent as Retry-After. */
  retryAfter?: number;
  /** For the log only. */
  detail?: string;
  /** Maps field paths (or file names) to sentences. */
  fields?: Record<string, string>;
}

type Constructor = (code: ErrorCode, message: string, options?: ProblemOptions) => Problem;
const problem =
  (status: number): Constructor =>
  (code, message, options) =>
    new Problem(status, code, message, options);

/** 400: the request does not have the agreed shape. */
export const invalid = problem(400);
/** 403: the caller is known but not allowed. Another owner's row is never 403 but `notFound`. */
export const forbidden = problem(403);
export const conflict = problem(409);
export const tooLarge = problem(413);
export const unsupported = problem(415);
/** 422: the request is well-formed but cannot be carried out. */
export const unprocessable = problem(422);
export const tooMany = problem(429);
/** 502: a provider failed; `cause` holds its error. */
export const upstream = problem(502);
/** 507: the disk has no room. */
export const outOfSpace = problem(507);
/** 503: a part of the server is temporarily unavailable. */
export const unavailable = problem(503);

export const unauthorized = (message = "Войдите в систему", code: ErrorCode = "unauthorized") =>
  new Problem(401, code, message);
export const notFound = (message = "Не найдено", code: ErrorCode = "not_found") => new Problem(404, code, message);
