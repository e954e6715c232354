import type { FastifyInstance } from "fastify";
import { remoteModelApi } from "#contract/models/remote-model.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { route } from "#server/platform/http/route.ts";
import { type ExamDeps, requestExam } from "./request-exam.ts";

export function mountExamRoutes(app: FastifyInstance, deps: ExamDeps): void {
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
