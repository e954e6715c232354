import type { FastifyInstance } from "fastify";
import { liveApi } from "#contract/conversations/live.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { sessionEnd } from "#server/accounts/auth/stream-end.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Live, LiveStream } from "./live.ts";

interface LiveDeps {
  live: Live;
  /** The body that tells the end of a session within a stream. */
  toProblemBody(error: unknown, requestId: string): ProblemBody;
  /** Told of each member who begins to watch; the stream closes when he ends. */
  watching?: (caller: Caller, stream: LiveStream) => void;
}

export function mountLiveRoutes(app: FastifyInstance, { live, toProblemBody, watching }: LiveDeps): void {
  route(app, liveApi.events, ({ caller, request, reply }) => {
    const stream = live.open(caller);
    watching?.(caller, stream);
    stream.heldBack = () => reply.raw.writableLength;
    const signedOut = sessionEnd(request);
    signedOut.addEventListener("abort", () =>
      stream.end({ name: "error", data: toProblemBody(signedOut.reason, request.id) }),
    );
    // Cut off: what the connection still holds goes with it.
    stream.once("close", () => {
      if (!stream.readableEnded) reply.raw.destroy();
    });
    reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
    return reply.send(stream) as never;
  });
  // A stream has no natural end, and a stopping server would wait for it.
  app.addHook("preClose", () => live.close());
}
