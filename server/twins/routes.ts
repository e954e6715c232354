import type { FastifyInstance } from "fastify";
import { modelBudgetApi } from "#contract/model-budget.ts";
import { twinsApi } from "#contract/twins.ts";
import { versionsApi } from "#contract/versions.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import {
  type BudgetDeps,
  organizationBudget,
  setOrganizationBudget,
  setTwinBudget,
  twinBudget,
} from "./model-budget-settings.ts";
import { trainingState } from "./training.ts";
import { createTwin, getTwin, listTwins, removeTwin, updateTwin } from "./twins.ts";
import { compareVersions, listVersions, restoreVersion } from "./version-history.ts";

interface TwinDeps {
  db: Database;
  config: BudgetDeps["config"] & Pick<Config, "dataDir" | "embedding" | "modelFiles">;
  log: Log;
  jobs: Jobs;
}

export function mountTwinRoutes(app: FastifyInstance, deps: TwinDeps): void {
  const { db } = deps;
  on(app, twinsApi.list, ({ viewer }) => listTwins(db, viewer));
  on(app, twinsApi.create, ({ viewer, input }) => createTwin(db, viewer, input));
  on(app, twinsApi.get, ({ viewer, params }) => getTwin(db, viewer, params.id));
  on(app, twinsApi.update, ({ viewer, params, input }) => updateTwin(db, viewer, params.id, input));
  on(app, twinsApi.remove, ({ viewer, params }) => removeTwin(deps, viewer, params.id));
  on(app, versionsApi.list, ({ viewer, params }) => listVersions(db, viewer, params.id));
  on(app, versionsApi.compare, ({ viewer, params, query }) =>
    compareVersions(db, viewer, params.id, { version: params.versionId, with: query.with }),
  );
  on(app, versionsApi.restore, ({ viewer, params }) => restoreVersion(deps, viewer, params.id, params.versionId));
  on(app, modelBudgetApi.twin, ({ viewer, params }) => twinBudget(deps, viewer, params.id));
  on(app, modelBudgetApi.setTwin, ({ viewer, params, input }) => setTwinBudget(deps, viewer, params.id, input));
  const own = (viewer: Viewer, params: { orgId: string }) => ({
    userId: viewer.userId,
    organizationId: ownOrganization(viewer, params),
  });
  on(app, modelBudgetApi.organization, ({ viewer, params }) => organizationBudget(deps, own(viewer, params)));
  on(app, modelBudgetApi.setOrganization, ({ viewer, params, input }) =>
    setOrganizationBudget(deps, own(viewer, params), input),
  );
  on(app, twinsApi.training, ({ viewer, params }) => trainingState(deps, viewer, params.id));
}
