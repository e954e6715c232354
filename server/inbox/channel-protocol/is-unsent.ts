import { proxyFailureOf } from "#server/platform/network/proxy-failure.ts";

/** Error codes of connections that failed before a byte of the request was sent, so a retry cannot deliver twice. */
const NEVER_LEFT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** @param error the connection's error; fetch wraps it as the cause of its own error */
export function isUnsent(error: unknown): boolean {
  if (proxyFailureOf(error) !== null) return true;
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if (NEVER_LEFT.has((each as NodeJS.ErrnoException).code ?? "")) return true;
  }
  return false;
}
