import type { FastifyInstance } from "fastify";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { listEvents } from "#server/inbox/channels/event-log.ts";
import type { Database } from "#server/platform/db/database.ts";
import { disconnectSignal, route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { changeProxy } from "./change-proxy.ts";
import { checkIntegration, tryConnection } from "./check-integration.ts";
import {
  createIntegration,
  type IntegrationDeps,
  listIntegrations,
  readIntegration,
  removeIntegration,
  updateIntegration,
} from "./integrations.ts";
import { reimport } from "./reimport.ts";
import { replaceCredentials } from "./replace-credentials.ts";
import { importTelegramHistory, telegramImportState } from "./telegram-import.ts";
import { sendTelegramCode, verifyTelegramCode } from "./telegram-login.ts";

interface IntegrationRouteDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  log: Log;
  config: IntegrationDeps["config"];
}

export function mountIntegrationRoutes(app: FastifyInstance, deps: IntegrationRouteDeps): void {
  const { db } = deps;
  route(app, integrationsApi.list, ({ caller }) => listIntegrations(deps, caller));
  route(app, integrationsApi.crm, ({ caller }) => listIntegrations(deps, caller));
  route(app, integrationsApi.create, ({ caller, input }) => createIntegration(deps, caller, input));
  route(app, integrationsApi.get, ({ caller, params }) => readIntegration(deps, caller, params.id));
  route(app, integrationsApi.events, ({ caller, params, query }) => listEvents(db, caller, params.id, query.before));
  route(app, integrationsApi.check, ({ caller, params }) => checkIntegration(deps, caller, params.id));
  route(app, integrationsApi.update, ({ caller, params, input }) => updateIntegration(deps, caller, params.id, input));
  route(app, integrationsApi.replaceCredentials, ({ caller, params, input }) =>
    replaceCredentials(deps, caller, params.id, input),
  );
  route(app, integrationsApi.tryConnection, ({ caller, input }) => tryConnection(deps, caller, input), {
    costly: true,
    rateLimit: { max: 12, timeWindow: "1 minute" },
  });
  route(app, integrationsApi.setProxy, ({ caller, params, input }) => changeProxy(deps, caller, params.id, input));
  route(app, integrationsApi.remove, ({ caller, params }) => removeIntegration(db, caller, params.id));
  route(app, knowledgeBaseApi.reimport, ({ caller, params, input }) => reimport(deps, caller, params.id, input));
  route(app, integrationsApi.sendCode, ({ caller, input }) => sendTelegramCode(deps, caller, input));
  route(app, integrationsApi.verifyCode, ({ caller, input }) => verifyTelegramCode(deps, caller, input));
  route(app, integrationsApi.importData, ({ caller, params, input, reply }) =>
    importTelegramHistory(deps, caller, params.id, input, disconnectSignal(reply)),
  );
  route(app, integrationsApi.importState, ({ caller, params }) => telegramImportState(db, caller, params.id));
}
