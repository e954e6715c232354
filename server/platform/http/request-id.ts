import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Config } from "#server/platform/config.ts";

/**
 * The form of nginx's `$request_id` and Caddy's `{http.request.uuid}`. Other values are ignored, so that a client cannot write text of its
 * own into the log.
 */
const FORM = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the generator of request ids: the trusted proxy's id if it sends one, else a new one. */
export function requestIds({
  trustProxy,
}: Pick<Config, "trustProxy">): (request: Pick<IncomingMessage, "headers">) => string {
  return ({ headers }) => {
    const sent = headers["x-request-id"];
    return trustProxy && typeof sent === "string" && FORM.test(sent) ? sent : randomUUID();
  };
}
