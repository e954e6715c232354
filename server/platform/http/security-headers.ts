/** Headers sent with every page in addition to helmet's: which scripts run, which sites may frame it, which browser features it may use. */
import type { FastifyInstance } from "fastify";
import { PERMISSIONS_POLICY } from "./permissions-policy.ts";

/** Telegram's login widget is the only third-party script, and /login the only page that may load it. */
const contentSecurityPolicy = (telegram: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${telegram ? " https://telegram.org" : ""}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob: https://t.me",
    "media-src blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src ${telegram ? "https://oauth.telegram.org" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");

/** @param telegramLogin whether users may sign in with Telegram's widget */
export function addSecurityHeaders(app: FastifyInstance, telegramLogin: boolean): void {
  app.addHook("onSend", async (request, reply) => {
    const telegram = telegramLogin && /^\/login\/?(\?|$)/.test(request.url);
    if (!reply.hasHeader("content-security-policy"))
      reply.header("content-security-policy", contentSecurityPolicy(telegram));
    reply.header("permissions-policy", PERMISSIONS_POLICY);
    // Other sites load it with a script tag.
    if (/^\/widget\.js(\?|$)/.test(request.url)) reply.header("cross-origin-resource-policy", "cross-origin");
    // Telegram's button opens a popup of its own site and waits for its message; helmet's «same-origin» would isolate them from each other.
    if (telegram) reply.header("cross-origin-opener-policy", "same-origin-allow-popups");
  });
}
