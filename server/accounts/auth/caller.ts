/** Reads and sets the session's credentials: the `Authorization: Bearer …` header and, for browsers, a second cookie. */
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Tx } from "#server/platform/db/database.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { ABSOLUTE_MS, findCaller } from "./sessions.ts";

const SECURE_NAME = "__Host-session";
// Browsers refuse a cookie with the __Host- prefix without HTTPS, which http://localhost does not have.
const PLAIN_NAME = "session";

/** Returns the signed-in caller of `request`, or null. @param db the base connection, outside any tenant's transaction */
export function callerOf(db: Tx, request: FastifyRequest): Promise<Caller | null> {
  return findCaller(db, { token: bearerOf(request), cookie: sessionCookieOf(request) });
}

const sessionCookieOf = (request: FastifyRequest): string | null =>
  request.cookies[SECURE_NAME] ?? request.cookies[PLAIN_NAME] ?? null;

/** Whether the request carries a session cookie, even one of an ended session. */
export const hasSessionCookie = (request: FastifyRequest): boolean => sessionCookieOf(request) !== null;

export function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer +([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}

/** True for a browser: only those send Sec-Fetch-Site, and scripts inside them cannot remove it. */
export const isBrowser = (request: FastifyRequest): boolean => request.headers["sec-fetch-site"] !== undefined;

export function setSessionCookie(reply: FastifyReply, publicUrl: string, cookie: string): void {
  reply.setCookie(nameFor(publicUrl), cookie, { ...attributesFor(publicUrl), maxAge: ABSOLUTE_MS / 1000 });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(nameFor(publicUrl), attributesFor(publicUrl));
}

const isHttps = (publicUrl: string) => publicUrl.startsWith("https:");
const nameFor = (publicUrl: string) => (isHttps(publicUrl) ? SECURE_NAME : PLAIN_NAME);
// SameSite=Strict suffices: the page's own requests carry the cookie even when the visitor followed a link from another site.
const attributesFor = (publicUrl: string) =>
  ({ path: "/", httpOnly: true, secure: isHttps(publicUrl), sameSite: "strict" }) as const;

/** A cookie that grants no access: it identifies the browser, or the sign-in step that the browser has begun. */
export interface LesserCookie {
  name: "device" | "sign-in";
  seconds: number;
}

/** Such a cookie follows the rules of the session cookie: not readable by scripts, same site only, `__Host-` prefix with HTTPS. */
export const lesserCookie = {
  read: (request: FastifyRequest, { name }: LesserCookie): string | null => {
    const value = request.cookies[`__Host-${name}`] ?? request.cookies[name];
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
  },
  set(reply: FastifyReply, publicUrl: string, { name, seconds }: LesserCookie, value: string): void {
    const full = isHttps(publicUrl) ? `__Host-${name}` : name;
    reply.setCookie(full, value, { ...attributesFor(publicUrl), maxAge: seconds });
  },
};
