/** Ends a streamed response soon after its session ends (sign-out, new password, new role, removal). */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "#server/platform/db/database.ts";
import { unauthorized } from "#server/platform/errors.ts";
import { NO_SESSION, sessionHolds } from "./sessions.ts";

/** Milliseconds between checks of an open stream's session. Together with the grace period they stay well under a minute. */
const CHECK_MS = 15_000;
/** Milliseconds after which a stream that does not end when asked, for example because its client does not read, is cut off. */
const GRACE_MS = 5000;

const ends = new WeakMap<FastifyRequest, AbortController>();

function endOf(request: FastifyRequest): AbortController {
  const end = ends.get(request) ?? new AbortController();
  ends.set(request, end);
  return end;
}

/**
 * Returns a signal that aborts with a Problem 401 when the session of this request ends during a streamed response. A handler may send the
 * Problem as the stream's last message; otherwise the stream is cut off.
 */
export const sessionEnd = (request: FastifyRequest): AbortSignal => endOf(request).signal;

/** Checks the session of every streamed response to a signed-in caller, in all features. */
export function endStreamsWithSession(
  app: FastifyInstance,
  db: Database,
  { checkMs = CHECK_MS, graceMs = GRACE_MS }: { checkMs?: number; graceMs?: number } = {},
): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (payload instanceof Readable) watch(request, reply, payload);
  });

  function watch(request: FastifyRequest, reply: FastifyReply, stream: Readable): void {
    const { caller } = request;
    if (caller === null || caller.sessionId === NO_SESSION) return;
    let checking = false;
    const timer = setInterval(async () => {
      if (checking) return;
      checking = true;
      try {
        if (!(await sessionHolds(db, caller))) end();
      } catch (error) {
        // A failed check is not fatal: the session is checked again at the next interval.
        request.log.error({ err: error, requestId: request.id }, "a stream's session could not be checked");
      } finally {
        checking = false;
      }
    }, checkMs).unref();
    const over = () => clearInterval(timer);
    const end = () => {
      over();
      endOf(request).abort(unauthorized());
      setTimeout(() => {
        if (!reply.raw.writableFinished) reply.raw.destroy();
      }, graceMs).unref();
    };
    stream.once("close", over);
    reply.raw.once("close", over);
  }
}
