import type { ErrorCode } from "#contract/error-codes.ts";
import { ProblemBody } from "#contract/problem.ts";
import { translateAnswer } from "./translated-answer.ts";

/**
 * An unsuccessful response. `message` is «{status}: {body, or the status text when the body is empty}».
 * `serverMessage` is the server's own sentence when the body is a problem document.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: string;
  readonly serverMessage: ProblemBody | undefined;
  /** Seconds that the server asks to wait (429, 503). */
  readonly retryAfter: number | undefined;

  constructor(status: number, statusText: string, body: string, retryAfter?: number) {
    super(`${status}: ${body || statusText}`);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.serverMessage = problemOf(body);
    this.retryAfter = retryAfter;
  }

  /** The text that the specification prescribes for a failed `POST /api/ai-generate`. */
  get generationText(): string {
    return `HTTP error! status: ${this.status}, message: ${this.body}`;
  }

  static async from(response: Response): Promise<ApiError> {
    const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
    const sent = await response.text();
    const body = import.meta.env.TRANSLATED ? await translateAnswer(sent, response.url, true) : sent;
    return new ApiError(response.status, response.statusText, body, Number.isFinite(wait) ? wait : undefined);
  }
}

export class AnswerMismatch extends Error {
  /** The call and the invalid part of its response, for debugging and not for the screen. */
  readonly detail: string;

  constructor(call: string, detail: string) {
    super("Сервер ответил непонятно. Обновите страницу: возможно, вышла новая версия.");
    this.detail = `${call}: ${detail}`;
    this.name = "AnswerMismatch";
  }
}

/** Whether the network failed before any response, which `fetch` reports as a TypeError. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError;
}

/** The stable error code of a failed call; undefined for other failures and when the server sent none. */
export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.serverMessage?.code : undefined;
}

/** The request's id in the server's log, for failures of the server itself; undefined for others. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status >= 500 ? error.serverMessage?.requestId : undefined;
}

/** The message about a failed call for the user: the server's sentence, otherwise the error's own text. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.serverMessage?.message ?? error.message;
  if (isNetworkError(error)) return "Проверьте подключение к интернету";
  return error instanceof Error ? error.message : String(error);
}

/** The message about a failed reply of a twin, for which the specification prescribes other words. */
export function generationMessageOf(error: unknown): string {
  return error instanceof ApiError ? error.generationText : messageOf(error);
}

/** The server's own sentence, if it sent one: from a problem document, otherwise `message` or `error` of any other JSON. */
export function serverSentenceOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.serverMessage) return error.serverMessage.message;
  try {
    const { message, error: text } = JSON.parse(error.body) ?? {};
    return [message, text].find((value) => typeof value === "string" && value !== "");
  } catch {
    return undefined;
  }
}

function problemOf(body: string): ProblemBody | undefined {
  try {
    const parsed = ProblemBody.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
