/** Refusals that a sandboxed program may report for a file. The program is not trusted, so it can report nothing else. */
import { ERROR_CODES, type ErrorCode } from "#contract/error-codes.ts";
import { Problem } from "#server/platform/errors.ts";

export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  detail?: string;
}

const DETAIL_CHARS = 1000;

/** Converts an error into a refusal for the response. @throws the error itself if it is not a refusal */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Problem)) throw error;
  const { status, code, message, cause } = error;
  const detail = (error.detail ?? (cause instanceof Error ? cause.message : undefined))?.slice(0, DETAIL_CHARS);
  return { status, code, message, ...(detail === undefined ? {} : { detail }) };
}

const KNOWN: ReadonlySet<unknown> = new Set(ERROR_CODES);

export function problemOf({ status, code, message, detail }: Refusal): Problem | null {
  if (![413, 415, 422].includes(status) || !KNOWN.has(code)) return null;
  return new Problem(status, code, String(message), detail === undefined ? {} : { detail: String(detail) });
}
