import type { FastifyInstance } from "fastify";
import { liveApi } from "#contract/conversations/live.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { sessionEnd } from "#server/accounts/auth/stream-end.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Live, LiveStream } from "./live.ts";

interface LiveDeps {
  live: Live;
  /** The error body that a stream sends when the session ends. */
  toProblemBody(error: unknown, requestId: string): ProblemBody;
  /** Called for each member who starts to watch; the stream closes when the member stops. */
  watching?: (caller: Caller, stream: LiveStream) => void;
}

export function mountLiveRoutes(app: FastifyInstance, { live, toProblemBody, watching }: LiveDeps): void {
  const watch: Parameters<typeof route<typeof liveApi.events>>[2] = ({ caller, request, reply }) => {
    const stream = live.open(caller);
    watching?.(caller, stream);
    stream.heldBack = () => reply.raw.writableLength;
    const signedOut = sessionEnd(request);
    signedOut.addEventListener("abort", () =>
      stream.end({ name: "error", data: toProblemBody(signedOut.reason, request.id) }),
    );
    // The reader was disconnected, so the connection's unsent bytes are discarded too.
    stream.once("close", () => {
      if (!stream.readableEnded) reply.raw.destroy();
    });
    reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
    return reply.send(stream) as never;
  };
  route(app, liveApi.events, watch, { endless: true });
  // A stream never ends on its own, so a stopping server would wait for it forever.
  app.addHook("preClose", () => live.close());
}
