import type { FastifyInstance, FastifyRequest } from "fastify";
import { cannotWrite } from "#server/platform/errors.ts";
import type { WriteGuard } from "./write-guard.ts";

/** These store nothing; what is deleted makes room. */
const HARMLESS = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);
/** The administrator must be able to sign in and to see what is wrong; the few rows of that find room. */
const ALWAYS = /^\/(?:healthz|readyz|metrics|api\/(?:auth|config|admin\/health)(?:\/|$))/;

/**
 * While nothing can be stored, refuses what would be stored: 503 with Retry-After, so that clients try again and platforms deliver again.
 * What the guard has not noticed yet fails with the same answer.
 */
export function refuseWithoutRoom(app: FastifyInstance, guard: WriteGuard): void {
  app.addHook("onRequest", async (request) => {
    if (guard.obstacle !== null && stores(request)) throw cannotWrite();
  });
  app.addHook("onError", async (_request, _reply, error) => guard.note(error));
}

const stores = ({ method, routeOptions, url }: FastifyRequest): boolean =>
  !HARMLESS.has(method) && !ALWAYS.test(routeOptions.url ?? url);
