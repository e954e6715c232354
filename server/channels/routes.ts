import type { FastifyInstance } from "fastify";
import { approvalsApi } from "#contract/approvals.ts";
import { integrationsApi } from "#contract/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge-base.ts";
import { stopSwitchApi } from "#contract/stop-switch.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Vault } from "#server/vault.ts";
import { approve, editDraft, listApprovals, reject } from "./approvals.ts";
import { createIntegration, listIntegrations, removeIntegration, updateIntegration } from "./integrations.ts";
import type { ProviderAddresses } from "./registry.ts";
import { reimport } from "./reimport.ts";
import { readStopSwitch, setStopSwitch } from "./stop-switch.ts";
import { pauseConversation, resumeConversation } from "./takeover.ts";
import { importTelegramHistory, sendTelegramCode, verifyTelegramCode } from "./telegram-setup.ts";

interface ChannelDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  config: ProviderAddresses & { publicUrl: string };
}

export function mountChannelRoutes(app: FastifyInstance, deps: ChannelDeps): void {
  const { db } = deps;
  on(app, integrationsApi.list, ({ viewer }) => listIntegrations(deps, viewer));
  on(app, integrationsApi.crm, ({ viewer }) => listIntegrations(deps, viewer));
  on(app, integrationsApi.create, ({ viewer, input }) => createIntegration(deps, viewer, input));
  on(app, integrationsApi.update, ({ viewer, params, input }) => updateIntegration(deps, viewer, params.id, input));
  on(app, integrationsApi.remove, ({ viewer, params }) => removeIntegration(db, viewer, params.id));
  on(app, knowledgeBaseApi.reimport, ({ viewer, params }) => reimport(db, viewer, params.id));
  on(app, integrationsApi.sendCode, ({ viewer, input }) => sendTelegramCode(db, viewer, input));
  on(app, integrationsApi.verifyCode, ({ viewer, input }) => verifyTelegramCode(db, viewer, input));
  on(app, integrationsApi.importData, ({ viewer, params, input }) =>
    importTelegramHistory(db, viewer, params.id, input),
  );
  on(app, stopSwitchApi.get, ({ viewer }) => readStopSwitch(db, viewer));
  on(app, stopSwitchApi.set, ({ viewer, input }) => setStopSwitch(db, viewer, input.stopped));
  on(app, approvalsApi.list, ({ viewer }) => listApprovals(db, viewer));
  on(app, approvalsApi.edit, ({ viewer, params, input }) => editDraft(db, viewer, params.id, input.text));
  on(app, approvalsApi.approve, ({ viewer, params }) => approve(deps, viewer, params.id));
  on(app, approvalsApi.reject, ({ viewer, params }) => reject(db, viewer, params.id));
  on(app, approvalsApi.pause, ({ viewer, params }) => pauseConversation(db, viewer, params.id));
  on(app, approvalsApi.resume, ({ viewer, params }) => resumeConversation(db, viewer, params.id));
}
