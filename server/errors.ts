/**
 * An expected failure: what the caller did, or what the world did to us. `message` is the Russian sentence that the
 * user reads, `code` is stable for programs; whatever only the log may know stands in `cause` and `detail`.
 */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  readonly detail: string | undefined;
  readonly fields: Record<string, string> | undefined;

  constructor(status: number, code: string, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.headers = options.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(options.retryAfter)) };
    this.detail = options.detail;
    this.fields = options.fields;
  }
}

export interface ProblemOptions {
  cause?: unknown;
  /** Seconds; sent as Retry-After. */
  retryAfter?: number;
  /** For the log only. */
  detail?: string;
  /** Field path (or file name) → sentence. */
  fields?: Record<string, string>;
}

type Constructor = (code: string, message: string, options?: ProblemOptions) => Problem;
const problem =
  (status: number): Constructor =>
  (code, message, options) =>
    new Problem(status, code, message, options);

/** 400: the request does not have the agreed shape. */
export const invalid = problem(400);
/** 403: known caller, not allowed. Another owner's row is never 403 but `notFound`. */
export const forbidden = problem(403);
export const conflict = problem(409);
export const tooLarge = problem(413);
export const unsupported = problem(415);
/** 422: well-formed, but cannot be carried out. */
export const unprocessable = problem(422);
export const tooMany = problem(429);
/** 502: a provider that we depend on failed; `cause` keeps what it said. */
export const upstream = problem(502);
/** 507: the disk has no room. */
export const outOfSpace = problem(507);
/** 503: this part of us cannot serve now. */
export const unavailable = problem(503);

export const unauthorized = (message = "Войдите в систему", code = "unauthorized") => new Problem(401, code, message);
export const notFound = (message = "Не найдено", code = "not_found") => new Problem(404, code, message);
