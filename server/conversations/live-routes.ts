import type { FastifyInstance } from "fastify";
import { liveApi } from "#contract/live.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { sessionEnd } from "#server/auth/stream-end.ts";
import { on } from "#server/http.ts";
import type { Live } from "./live.ts";

interface LiveDeps {
  live: Live;
  /** How the end of a session is worded in a stream. */
  toProblemBody(error: unknown, requestId: string): ProblemBody;
}

export function mountLiveRoutes(app: FastifyInstance, { live, toProblemBody }: LiveDeps): void {
  on(app, liveApi.events, ({ viewer, request, reply }) => {
    const stream = live.open(viewer);
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
  // A stream never ends by itself, and a server that stops waits for what it answers.
  app.addHook("preClose", () => live.close());
}
