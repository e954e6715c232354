import type { FastifyInstance } from "fastify";
import { actsApi } from "#contract/conversations/acts.ts";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { contactsApi } from "#contract/conversations/contact-card.ts";
import { setAsideApi } from "#contract/conversations/set-aside.ts";
import { ownerChatApi } from "#contract/integrations/owner-chat.ts";
import { businessApi } from "#contract/organizations/business.ts";
import { stopSwitchApi } from "#contract/organizations/stop-switch.ts";
import { type Models, withModels } from "#server/answers/replies/models.ts";
import type { RemoteGenerators } from "#server/answers/replies/remote-generators.ts";
import {
  approve,
  conversationAnswers,
  countWaiting,
  editDraft,
  listApprovals,
  reject,
  undo,
} from "#server/inbox/approvals/approvals.ts";
import { earlierMessages } from "#server/inbox/approvals/earlier-messages.ts";
import { writeAsOwner } from "#server/inbox/approvals/owner-messages.ts";
import { pastReplies, pastRepliesToContact } from "#server/inbox/approvals/past-replies.ts";
import type { ProviderAddresses } from "#server/inbox/channels/registry.ts";
import { actOn } from "#server/inbox/conversation-control/acts.ts";
import { forgetContactOf } from "#server/inbox/conversation-control/forget-contact.ts";
import { readStopSwitch, setStopSwitch } from "#server/inbox/conversation-control/stop-switch.ts";
import { pauseConversation, resumeConversation } from "#server/inbox/conversation-control/takeover.ts";
import { acceptBusiness, listBusiness } from "#server/inbox/incoming/business-connection.ts";
import { linkOwnerChat, readOwnerChat, unlinkOwnerChat } from "#server/inbox/owner-chat/owner-chat.ts";
import { discardSetAside, listSetAside, retrySetAside } from "#server/inbox/receiving/set-aside-decisions.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

interface ChannelDeps {
  files: FileStore;
  db: Database;
  vault: Vault;
  jobs: Jobs;
  log: Log;
  queryEmbedder: QueryEmbedder | null;
  localModels: Models | null;
  remoteGenerators: RemoteGenerators | null;
  config: ProviderAddresses & { publicUrl: string; loopbackAddresses: boolean };
}

export function mountChannelRoutes(app: FastifyInstance, deps: ChannelDeps): void {
  const { db } = deps;
  route(app, setAsideApi.list, ({ caller, params }) => listSetAside(db, caller, params.id));
  route(app, setAsideApi.retry, ({ caller, params }) => retrySetAside(deps, caller, params.id, params.itemId));
  route(app, setAsideApi.discard, ({ caller, params }) => discardSetAside(db, caller, params.id, params.itemId));
  route(app, businessApi.list, ({ caller, params }) => listBusiness(db, caller, params.id));
  route(app, businessApi.accept, ({ caller, params, input }) => acceptBusiness(db, caller, params, input.accepted));
  route(app, ownerChatApi.get, ({ caller, params }) => readOwnerChat(db, caller, params.id));
  route(app, ownerChatApi.link, ({ caller, params }) => linkOwnerChat(deps, caller, params.id), { secretAnswer: true });
  route(app, ownerChatApi.unlink, ({ caller, params }) => unlinkOwnerChat(db, caller, params.id));
  route(app, stopSwitchApi.get, ({ caller }) => readStopSwitch(db, caller));
  route(app, stopSwitchApi.set, ({ caller, input }) => setStopSwitch(db, caller, input.stopped));
  route(app, approvalsApi.list, ({ caller }) => listApprovals(db, caller));
  route(app, approvalsApi.earlier, ({ caller, params }) => earlierMessages(db, caller, params.id));
  route(app, approvalsApi.count, ({ caller }) => countWaiting(db, caller));
  route(
    app,
    approvalsApi.pastReplies,
    async ({ caller, params }) => pastReplies(await withModels(deps, caller), caller, params.id),
    { costly: true },
  );
  route(
    app,
    approvalsApi.ownReplies,
    async ({ caller, params }) => pastRepliesToContact(await withModels(deps, caller), caller, params.id),
    { costly: true },
  );
  // Expensive: up to fifty conversations, each in its own transaction.
  route(app, actsApi.act, ({ caller, input }) => actOn(deps, caller, input), { costly: true });
  route(app, approvalsApi.edit, ({ caller, params, input }) => editDraft(db, caller, params.id, input.text));
  route(app, approvalsApi.ofConversation, ({ caller, params }) => conversationAnswers(db, caller, params.id));
  route(app, contactsApi.forget, ({ caller, params }) => forgetContactOf(deps, caller, params.id));
  route(app, approvalsApi.write, ({ caller, params, input }) => writeAsOwner(deps, caller, params.id, input));
  route(app, approvalsApi.approve, ({ caller, params, query }) =>
    approve(deps, caller, params.id, {
      undoable: query.undo === "1",
      ...(query.teach === undefined ? {} : { teaches: query.teach === "everybody" ? "everybody" : "contact" }),
    }),
  );
  route(app, approvalsApi.undo, ({ caller, params }) => undo(db, caller, params.id));
  route(app, approvalsApi.reject, ({ caller, params }) => reject(deps, caller, params.id));
  route(app, approvalsApi.pause, ({ caller, params, input }) => pauseConversation(db, caller, params.id, input));
  route(app, approvalsApi.resume, ({ caller, params }) => resumeConversation(db, caller, params.id));
}
