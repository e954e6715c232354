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

/** OpenAI, Azure and Moonshot; OpenAI's reasoning models; Azure's inner code; DashScope in both of its APIs. */
const CONTENT_CODES =
  /^(?:content_filter(?:ed)?|content_policy_violation|invalid_prompt|ResponsibleAIPolicyViolation|data_?inspection_?failed)$/i;
/** Volcengine: «InputTextSensitiveContentDetected» and its kin. */
const SENSITIVE = /SensitiveContentDetected/;
/** DeepSeek has no code for it. */
const DEEPSEEK = "Content Exists Risk";
const LONGEST_BODY = 20_000;

interface NamedError {
  code?: unknown;
  type?: unknown;
  message?: unknown;
  innererror?: { code?: unknown } | null;
  metadata?: { flagged_input?: unknown } | null;
}

/** Whether a provider has refused a request for what it says, not for how it was asked. @param error the error, or its body */
export function isContentRefusal(error: unknown): boolean {
  const whole = typeof error === "string" ? parsed(error) : error;
  if (typeof whole !== "object" || whole === null) return false;
  // Zhipu lists the filters that were hit beside the error.
  if ("contentFilter" in whole && Array.isArray(whole.contentFilter) && whole.contentFilter.length > 0) return true;
  const named = ("error" in whole && typeof whole.error === "object" ? whole.error : whole) as NamedError | null;
  if (named === null) return false;
  const { code, type, message, innererror, metadata } = named;
  const codes = [code, type, innererror?.code].filter((one) => typeof one === "string");
  return (
    codes.some((one) => CONTENT_CODES.test(one) || SENSITIVE.test(one)) ||
    message === DEEPSEEK ||
    // OpenRouter's moderation.
    metadata?.flagged_input !== undefined
  );
}

function parsed(body: string): unknown {
  if (body.length > LONGEST_BODY) return null;
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
