import type { FastifyInstance } from "fastify";
import { twinExamApi } from "#contract/twin-exam.ts";
import { route } from "#server/platform/http/route.ts";
import {
  cancelTwinExam,
  finishTwinExam,
  markAnswer,
  readTwinExam,
  startTwinExam,
  type TwinExamDeps,
} from "./twin-exams.ts";

export function mountTwinExamRoutes(app: FastifyInstance, deps: TwinExamDeps): void {
  route(app, twinExamApi.get, ({ caller, params }) => readTwinExam(deps, caller, params.id));
  route(app, twinExamApi.start, ({ caller, params }) => startTwinExam(deps, caller, params.id), { costly: true });
  route(app, twinExamApi.cancel, ({ caller, params }) => cancelTwinExam(deps, caller, params.id));
  route(app, twinExamApi.mark, ({ caller, params, input }) =>
    markAnswer(deps, caller, params.id, { answerId: Number(params.answerId), mark: input.mark }),
  );
  route(app, twinExamApi.finish, ({ caller, params }) => finishTwinExam(deps, caller, params.id));
}
