/** Classifies errors of OpenAI-compatible providers. Their messages are never read: they may quote what was sent. */
interface ProviderError {
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
}

export const statusOf = (error: unknown) => (error as ProviderError | null)?.statusCode;
/** Returns the body only to search it for a code; it must never be shown or logged. */
export const bodyOf = (error: unknown) => (error as ProviderError | null)?.responseBody ?? "";
export const isBusy = (error: unknown) => statusOf(error) === 429 || statusOf(error) === 503;

/** Returns seconds from either form of the Retry-After header (RFC 9110, 10.2.3). */
export function retryAfter(error: unknown): number | undefined {
  const header = (error as ProviderError | null)?.responseHeaders?.["retry-after"];
  if (header === undefined) return undefined;
  const seconds = /^\d+(?:\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Returns a text for the log, never a message of the provider, which may quote the prompt or the answer. */
export function summary(error: unknown): string {
  const status = statusOf(error);
  const name = error instanceof Error ? error.name : "error in the stream";
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (inner as { code?: unknown } | null)?.code;
  return `${status === undefined ? "" : `HTTP ${status} `}${name}${typeof code === "string" ? ` ${code}` : ""}`;
}
