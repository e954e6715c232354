import type { FastifyInstance, FastifyRequest } from "fastify";
import { approvalsApi } from "#contract/approvals.ts";
import { businessApi } from "#contract/business.ts";
import { contactsApi } from "#contract/contact-card.ts";
import { integrationsApi } from "#contract/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge-base.ts";
import { ownerChatApi } from "#contract/owner-chat.ts";
import { setAsideApi } from "#contract/set-aside.ts";
import { stopSwitchApi } from "#contract/stop-switch.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import { type Models, withModels } from "#server/replies/models.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import type { Vault } from "#server/vault.ts";
import { approve, conversationAnswers, countWaiting, editDraft, listApprovals, reject, undo } from "./approvals.ts";
import { acceptBusiness, listBusiness } from "./business.ts";
import { checkIntegration } from "./check-integration.ts";
import { listEvents } from "./event-log.ts";
import { forgetContactOf } from "./forget-contact.ts";
import {
  createIntegration,
  listIntegrations,
  readIntegration,
  removeIntegration,
  updateIntegration,
} from "./integrations.ts";
import { linkOwnerChat, readOwnerChat, unlinkOwnerChat } from "./owner-chat.ts";
import { writeAsOwner } from "./owner-words.ts";
import { pastReplies } from "./past-replies/past-replies.ts";
import type { ProviderAddresses } from "./registry.ts";
import { reimport } from "./reimport.ts";
import { discardSetAside, listSetAside, retrySetAside } from "./set-aside/owner-decides.ts";
import { readStopSwitch, setStopSwitch } from "./stop-switch.ts";
import { pauseConversation, resumeConversation } from "./takeover.ts";
import { importTelegramHistory, telegramImportState } from "./telegram-import.ts";
import { sendTelegramCode, verifyTelegramCode } from "./telegram-login.ts";

interface ChannelDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  log: Log;
  meanings: Meanings | null;
  localModels: Models | null;
  config: ProviderAddresses & { publicUrl: string };
}

export function mountChannelRoutes(app: FastifyInstance, deps: ChannelDeps): void {
  const { db } = deps;
  on(app, integrationsApi.list, ({ viewer }) => listIntegrations(deps, viewer));
  on(app, integrationsApi.crm, ({ viewer }) => listIntegrations(deps, viewer));
  on(app, integrationsApi.create, ({ viewer, input }) => createIntegration(deps, viewer, input));
  on(app, integrationsApi.get, ({ viewer, params }) => readIntegration(deps, viewer, params.id));
  on(app, integrationsApi.events, ({ viewer, params, query }) => listEvents(db, viewer, params.id, query.before));
  on(app, integrationsApi.check, ({ viewer, params }) => checkIntegration(deps, viewer, params.id));
  on(app, setAsideApi.list, ({ viewer, params }) => listSetAside(db, viewer, params.id));
  on(app, setAsideApi.retry, ({ viewer, params }) => retrySetAside(deps, viewer, params.id, params.itemId));
  on(app, setAsideApi.discard, ({ viewer, params }) => discardSetAside(db, viewer, params.id, params.itemId));
  on(app, businessApi.list, ({ viewer, params }) => listBusiness(db, viewer, params.id));
  on(app, businessApi.accept, ({ viewer, params, input }) => acceptBusiness(db, viewer, params, input.accepted));
  on(app, ownerChatApi.get, ({ viewer, params }) => readOwnerChat(db, viewer, params.id));
  on(app, ownerChatApi.link, ({ viewer, params }) => linkOwnerChat(deps, viewer, params.id), { secretAnswer: true });
  on(app, ownerChatApi.unlink, ({ viewer, params }) => unlinkOwnerChat(db, viewer, params.id));
  on(app, integrationsApi.update, ({ viewer, params, input }) => updateIntegration(deps, viewer, params.id, input));
  on(app, integrationsApi.remove, ({ viewer, params }) => removeIntegration(db, viewer, params.id));
  on(app, knowledgeBaseApi.reimport, ({ viewer, params, input }) => reimport(deps, viewer, params.id, input));
  on(app, integrationsApi.sendCode, ({ viewer, input }) => sendTelegramCode(deps, viewer, input));
  on(app, integrationsApi.verifyCode, ({ viewer, input }) => verifyTelegramCode(deps, viewer, input));
  on(app, integrationsApi.importData, ({ viewer, params, input, request }) =>
    importTelegramHistory(deps, viewer, params.id, input, leftBy(request)),
  );
  on(app, integrationsApi.importState, ({ viewer, params }) => telegramImportState(db, viewer, params.id));
  on(app, stopSwitchApi.get, ({ viewer }) => readStopSwitch(db, viewer));
  on(app, stopSwitchApi.set, ({ viewer, input }) => setStopSwitch(db, viewer, input.stopped));
  on(app, approvalsApi.list, ({ viewer }) => listApprovals(db, viewer));
  on(app, approvalsApi.count, ({ viewer }) => countWaiting(db, viewer));
  on(
    app,
    approvalsApi.pastReplies,
    async ({ viewer, params }) => pastReplies(await withModels(deps, viewer), viewer, params.id),
    { costly: true },
  );
  on(app, approvalsApi.edit, ({ viewer, params, input }) => editDraft(db, viewer, params.id, input.text));
  on(app, approvalsApi.ofConversation, ({ viewer, params }) => conversationAnswers(db, viewer, params.id));
  on(app, contactsApi.forget, ({ viewer, params }) => forgetContactOf(deps, viewer, params.id));
  on(app, approvalsApi.write, ({ viewer, params, input }) => writeAsOwner(deps, viewer, params.id, input));
  on(app, approvalsApi.approve, ({ viewer, params, query }) =>
    approve(deps, viewer, params.id, { undoable: query.undo === "1", teaches: query.teach === "1" }),
  );
  on(app, approvalsApi.undo, ({ viewer, params }) => undo(db, viewer, params.id));
  on(app, approvalsApi.reject, ({ viewer, params }) => reject(db, viewer, params.id));
  on(app, approvalsApi.pause, ({ viewer, params, input }) => pauseConversation(db, viewer, params.id, input));
  on(app, approvalsApi.resume, ({ viewer, params }) => resumeConversation(db, viewer, params.id));
}

/** Aborts when the caller hangs up. */
function leftBy({ raw }: FastifyRequest): AbortSignal {
  const controller = new AbortController();
  raw.socket?.once("close", () => controller.abort());
  return controller.signal;
}
