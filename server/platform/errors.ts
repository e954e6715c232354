import type { ErrorCode } from "#contract/error-codes.ts";

/**
 * An expected failure, caused by the caller or the environment. `message` is the Russian sentence that users read, and `code` is stable for
 * programs; details for the log only belong in `cause` and `detail`.
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
  /** In seconds; sent as Retry-After. */
  retryAfter?: number;
  /** Logged, never sent. */
  detail?: string;
  /** Sentences by field path or file name. */
  fields?: Record<string, string>;
}

type Constructor = (code: ErrorCode, message: string, options?: ProblemOptions) => Problem;
const problem =
  (status: number): Constructor =>
  (code, message, options) =>
    new Problem(status, code, message, options);

export const invalid = problem(400);
/** 403: the caller is known but not allowed. A row of another owner gives `notFound` instead, which does not reveal that it exists. */
export const forbidden = problem(403);
export const conflict = problem(409);
export const tooLarge = problem(413);
export const unsupported = problem(415);
export const unprocessable = problem(422);
export const tooMany = problem(429);
/** 502: a provider failed; `cause` holds its error. */
export const upstream = problem(502);
export const outOfSpace = problem(507);
export const unavailable = problem(503);

export const unauthorized = (message = "Войдите в систему", code: ErrorCode = "unauthorized") =>
  new Problem(401, code, message);
export const notFound = (message = "Не найдено", code: ErrorCode = "not_found") => new Problem(404, code, message);

const CANNOT_WRITE =
  "На сервере кончилось место, и сохранить это сейчас нельзя. Повторите позже: как только место появится, всё продолжится само.";

/** 503: nothing can be stored until a disk has room again (platform/db-upkeep/write-guard.ts). */
export const cannotWrite = (cause?: unknown) =>
  new Problem(503, "cannot_write", CANNOT_WRITE, { retryAfter: 30, ...(cause !== undefined && { cause }) });
