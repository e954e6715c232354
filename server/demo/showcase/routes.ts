/** The twin that visitors of the landing page ask without an account (docs/decisions/038-page-delivery-and-languages.md). */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ProblemBody } from "#contract/problem.ts";
import { type ShowcaseAnswer, showcaseApi } from "#contract/showcase.ts";
import { network } from "#server/accounts/credentials/login-limit.ts";
import { type Answer, answerFromMemory, type TwinInMemory } from "#server/answers/replies/plan-reply.ts";
import { tooMany } from "#server/platform/errors.ts";
import { disconnectSignal, route } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import { openShop } from "./shop.ts";

interface Deps {
  log: Log;
  /** Words an error that occurs after the stream's headers were sent. */
  toProblemBody(error: unknown, requestId: string): ProblemBody;
}

/** Limits per address: enough to try the twin, too few to abuse it. */
const LIMITS = [
  { groupId: "showcase-minute", max: 10, timeWindow: "1 minute" },
  { groupId: "showcase-day", max: 100, timeWindow: "1 day" },
];

export function mountShowcaseRoutes(app: FastifyInstance, { log, toProblemBody }: Deps): void {
  const limits = LIMITS.map((limit) =>
    app.createRateLimit({ ...limit, allowList: [], keyGenerator: ({ ip }: FastifyRequest) => network(ip) }),
  );
  const shop = keptShop();
  route(
    app,
    showcaseApi.ask,
    async ({ input, request, reply }) => {
      for (const limit of limits) {
        const rate = await limit(request);
        if (!rate.isAllowed && rate.isExceeded) {
          const retryAfter = rate.ttl / 1000;
          throw tooMany("too_many_requests", "Слишком много вопросов подряд. Подождите немного.", { retryAfter });
        }
      }
      const answer = await answerFromMemory(await shop(), input.question);
      const leaving = disconnectSignal(reply);
      if (!request.headers.accept?.includes("text/event-stream")) return toldOf(answer, await answer.whole(leaving));
      reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
      const failed = (error: unknown) => {
        if (!leaving.aborted)
          log.warn({ err: error, requestId: request.id }, "a visitor of the landing page was not answered");
        return toProblemBody(error, request.id);
      };
      return reply.send(Readable.from(eventStream(answer, leaving, failed))) as never;
    },
    { costly: "alone" },
  );
}

/** Loads the shop when the first visitor asks; after a failure, the next visitor's question loads it again. */
function keptShop(): () => Promise<TwinInMemory> {
  let kept: Promise<TwinInMemory> | undefined;
  return () => {
    kept ??= openShop().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

/** Yields `delta` { text } any number of times, then `done` with the whole answer, or `error`. */
async function* eventStream(
  answer: Answer,
  leaving: AbortSignal,
  failed: (error: unknown) => ProblemBody,
): AsyncGenerator<string> {
  try {
    let whole = "";
    for await (const text of answer.stream(leaving)) {
      whole += text;
      if (text !== "") yield sse("delta", { text });
    }
    yield sse("done", toldOf(answer, whole));
  } catch (error) {
    yield sse("error", failed(error));
  }
}

const sse = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function toldOf(answer: Answer, text: string): ShowcaseAnswer {
  return { answer: text, known: answer.planOf(text).kind !== "unknown", source: answer.excerptOf(text) };
}
