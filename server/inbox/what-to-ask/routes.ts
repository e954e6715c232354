import type { FastifyInstance } from "fastify";
import { styleSamplesApi } from "#contract/knowledge/style-samples.ts";
import {
  decidePhrase,
  removeSample,
  setSampleOpen,
  writeSample,
} from "#server/knowledge/public-replies/style-samples.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import { listSamplesAndMessages } from "./invented-messages.ts";
import { openAnswer } from "./open-answer.ts";

export function mountStyleSampleRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  route(app, styleSamplesApi.list, ({ caller, params }) => listSamplesAndMessages(db, caller, params.id));
  route(app, styleSamplesApi.write, ({ caller, params, input }) => writeSample(db, caller, params.id, input));
  route(app, styleSamplesApi.openAnswer, ({ caller, params }) => openAnswer(db, caller, params.id, params.answerId));
  route(app, styleSamplesApi.decide, ({ caller, params, input }) =>
    decidePhrase(db, caller, params.id, { pairId: params.pairId, ...input }),
  );
  route(app, styleSamplesApi.update, ({ caller, params, input }) =>
    setSampleOpen(db, caller, params.id, { sampleId: params.sampleId, open: input.open }),
  );
  route(app, styleSamplesApi.remove, ({ caller, params }) => removeSample(db, caller, params.id, params.sampleId));
}
