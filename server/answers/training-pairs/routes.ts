import type { FastifyInstance } from "fastify";
import { trainingPairsApi as api } from "#contract/training-pairs.ts";
import { route } from "#server/platform/http/route.ts";
import { downloadPairs, type PairsDeps } from "./training-pairs.ts";

/** Low, because each call reads all of an owner's messages. */
const LIMITS = { rateLimit: { max: 20, timeWindow: "1 hour" }, costly: true };

export function mountTrainingPairsRoutes(app: FastifyInstance, deps: PairsDeps): void {
  route(
    app,
    api.download,
    ({ caller, params, reply }) => downloadPairs(deps, caller, params.id, reply) as never,
    LIMITS,
  );
}
