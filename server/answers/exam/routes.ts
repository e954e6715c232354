import type { FastifyInstance } from "fastify";
import { remoteModelApi } from "#contract/models/remote-model.ts";
import { sharedExamsApi } from "#contract/models/shared-exams.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { examAnswersOf } from "#server/models/remote/settings.ts";
import { route } from "#server/platform/http/route.ts";
import { type ExamDeps, requestExam } from "./request-exam.ts";
import { listSharedExams, requestSharedExam, type SharedExamDeps, sharedExamAnswers } from "./shared-exams.ts";

export function mountExamRoutes(app: FastifyInstance, deps: ExamDeps & SharedExamDeps): void {
  route(app, remoteModelApi.examAnswers, async ({ caller, params }) => {
    ownOrganization(caller, params);
    return { answers: await examAnswersOf(deps, caller) };
  });
  route(app, sharedExamsApi.list, () => listSharedExams(deps));
  route(app, sharedExamsApi.answers, async ({ params }) => ({ answers: await sharedExamAnswers(deps, params.id) }));
  route(app, sharedExamsApi.examine, ({ caller, params }) => requestSharedExam(deps, caller, params.id), {
    costly: true,
  });
  route(
    app,
    remoteModelApi.examine,
    ({ caller, params }) => {
      ownOrganization(caller, params);
      return requestExam(deps, caller);
    },
    { costly: true },
  );
}
