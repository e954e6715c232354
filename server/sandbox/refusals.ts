/** What a sandboxed program says of a file that it does not take. It speaks for a stranger's file: it may refuse, and nothing else. */
import { Problem } from "#server/errors.ts";

/** A `Problem` as plain values. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  detail?: string;
}

const DETAIL_CHARS = 1000;

/** For the program's answer. @throws what is no refusal */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Problem)) throw error;
  const { status, code, message, cause } = error;
  const detail = (error.detail ?? (cause instanceof Error ? cause.message : undefined))?.slice(0, DETAIL_CHARS);
  return { status, code, message, ...(detail === undefined ? {} : { detail }) };
}

/** For the server; null for what no file is refused with. */
export function problemOf({ status, code, message, detail }: Refusal): Problem | null {
  if (![413, 415, 422].includes(status)) return null;
  return new Problem(status, String(code), String(message), detail === undefined ? {} : { detail: String(detail) });
}
