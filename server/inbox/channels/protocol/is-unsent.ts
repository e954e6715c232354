import { proxyFailureOf } from "#server/platform/network/proxy/proxy-failure.ts";

/** Error codes of connections that broke before a byte of the request was sent, so it may be sent again. */
const NEVER_LEFT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** @param error what the connection threw; fetch wraps it as the cause of its own error */
export function isUnsent(error: unknown): boolean {
  if (proxyFailureOf(error) !== null) return true;
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if (NEVER_LEFT.has((each as NodeJS.ErrnoException).code ?? "")) return true;
  }
  return false;
}
