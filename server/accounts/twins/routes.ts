import type { FastifyInstance } from "fastify";
import { modelBudgetApi } from "#contract/models/model-budget.ts";
import { twinsApi } from "#contract/twins.ts";
import { versionsApi } from "#contract/versions.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import {
  type BudgetDeps,
  organizationBudget,
  setOrganizationBudget,
  setTwinBudget,
  twinBudget,
} from "./model-budget-settings.ts";
import { type TrainingConfig, trainingState } from "./training.ts";
import { createTwin, getTwin, listTwins, removeTwin, updateTwin } from "./twins.ts";
import { compareVersions, listVersions, restoreVersion } from "./version-history.ts";

interface TwinDeps {
  db: Database;
  config: BudgetDeps["config"] & TrainingConfig;
  files: FileStore;
  log: Log;
  jobs: Jobs;
}

export function mountTwinRoutes(app: FastifyInstance, deps: TwinDeps): void {
  const { db } = deps;
  route(app, twinsApi.list, ({ caller }) => listTwins(db, caller));
  route(app, twinsApi.create, ({ caller, input }) => createTwin(db, caller, input));
  route(app, twinsApi.get, ({ caller, params }) => getTwin(db, caller, params.id));
  route(app, twinsApi.update, ({ caller, params, input }) => updateTwin(db, caller, params.id, input));
  route(app, twinsApi.remove, ({ caller, params }) => removeTwin(deps, caller, params.id));
  route(app, versionsApi.list, ({ caller, params }) => listVersions(db, caller, params.id));
  route(app, versionsApi.compare, ({ caller, params, query }) =>
    compareVersions(db, caller, params.id, { version: params.versionId, with: query.with }),
  );
  route(app, versionsApi.restore, ({ caller, params }) => restoreVersion(deps, caller, params.id, params.versionId));
  route(app, modelBudgetApi.twin, ({ caller, params }) => twinBudget(deps, caller, params.id));
  route(app, modelBudgetApi.setTwin, ({ caller, params, input }) => setTwinBudget(deps, caller, params.id, input));
  const own = (caller: Caller, params: { orgId: string }) => ({
    userId: caller.userId,
    organizationId: ownOrganization(caller, params),
  });
  route(app, modelBudgetApi.organization, ({ caller, params }) => organizationBudget(deps, own(caller, params)));
  route(app, modelBudgetApi.setOrganization, ({ caller, params, input }) =>
    setOrganizationBudget(deps, own(caller, params), input),
  );
  route(app, twinsApi.training, ({ caller, params }) => trainingState(deps, caller, params.id));
}
