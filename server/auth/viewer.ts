/** How a session travels: `Authorization: Bearer …`, and for browsers a cookie beside it. */
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Tx } from "#server/db/database.ts";
import type { Viewer } from "#server/http.ts";
import { ABSOLUTE_MS, findViewer } from "./sessions.ts";

const SECURE_NAME = "__Host-session";
// Browsers refuse the __Host- prefix without HTTPS, and http://localhost has none.
const PLAIN_NAME = "session";

/** The signed-in caller of `request`, or null. Sent through `db`, the base connection. */
export function viewerOf(db: Tx, request: FastifyRequest): Promise<Viewer | null> {
  return findViewer(db, { token: bearerOf(request), cookie: sessionCookieOf(request) });
}

const sessionCookieOf = (request: FastifyRequest): string | null =>
  request.cookies[SECURE_NAME] ?? request.cookies[PLAIN_NAME] ?? null;

/** Whether a browser brings the cookie of a session, be it of one that has ended. */
export const hasSessionCookie = (request: FastifyRequest): boolean => sessionCookieOf(request) !== null;

/** The token of the Authorization header, or null. */
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
// Strict is enough: the page's own fetches carry it, also after a visitor came by a link from elsewhere.
const attributesFor = (publicUrl: string) =>
  ({ path: "/", httpOnly: true, secure: isHttps(publicUrl), sameSite: "strict" }) as const;

/** A cookie that opens nothing by itself: which browser it is, which step it has begun. */
export interface LesserCookie {
  name: "device" | "sign-in";
  seconds: number;
}

/** The same rules as the session's own: unreadable for scripts, this site only, under `__Host-` where there is HTTPS. */
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
