import type { FastifyInstance } from "fastify";
import { DocumentInput, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { knowledgeBaseApi, NEXT_PAGE_HEADER } from "#contract/knowledge/knowledge-base.ts";
import { websitesApi } from "#contract/knowledge/websites.ts";
import { addDocument, getDocument, listDocuments, removeDocument } from "#server/knowledge/documents/documents.ts";
import { updateDocument } from "#server/knowledge/documents/edit-document.ts";
import { readOriginalAgain } from "#server/knowledge/documents/read-again.ts";
import { uploadDocuments } from "#server/knowledge/documents/upload-documents.ts";
import { findMessages } from "#server/knowledge/messages/find-messages.ts";
import { uploadConversation } from "#server/knowledge/messages/upload-conversation.ts";
import type { WebsiteDeps } from "#server/knowledge/websites/read-website.ts";
import {
  addWebsite,
  cancelReading,
  listWebsites,
  readAgain,
  removeWebsite,
  websitePagesOf,
} from "#server/knowledge/websites/websites.ts";
import type { Database } from "#server/platform/db/database.ts";
import { disconnectSignal, parse, route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { knowledgeStats, listSources } from "./knowledge-base.ts";
import { removeChat, removePerson, removeSource, sourceContents } from "./source-contents.ts";

/** Limit per client address, because each reading requests up to two hundred pages from another server. */
const READINGS = { rateLimit: { max: 60, timeWindow: "1 hour" } };
/** Limit per client address, because each reading uses the organisation's daily quota of recordings and pictures. */
const READINGS_OF_FILES = { max: 60, timeWindow: "1 hour" };

interface KnowledgeDeps extends WebsiteDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
}

export function mountKnowledgeRoutes(app: FastifyInstance, deps: KnowledgeDeps): void {
  const { db } = deps;
  route(app, knowledgeApi.documents, ({ caller }) => listDocuments(db, caller));
  route(app, knowledgeApi.document, ({ caller, params }) => getDocument(db, caller, params.id));
  route(
    app,
    knowledgeApi.upload,
    ({ caller, request }) =>
      request.isMultipart()
        ? uploadDocuments(deps, caller, request)
        : addDocument(deps, caller, parse(DocumentInput, request.body)),
    { rawBody: true },
  );
  route(app, knowledgeApi.updateDocument, ({ caller, params, input }) =>
    updateDocument(deps, caller, params.id, input),
  );
  route(app, knowledgeApi.readDocumentAgain, ({ caller, params }) => readOriginalAgain(deps, caller, params.id), {
    rateLimit: READINGS_OF_FILES,
  });
  route(app, knowledgeApi.removeDocument, ({ caller, params }) => removeDocument(deps, caller, params.id));
  route(app, knowledgeApi.uploadConversation, ({ caller, input }) => uploadConversation(deps, caller, input));

  route(app, websitesApi.list, ({ caller }) => listWebsites(db, caller));
  route(app, websitesApi.create, ({ caller, input }) => addWebsite(deps, caller, input), READINGS);
  route(app, websitesApi.pages, ({ caller, params }) => websitePagesOf(db, caller, params.id));
  route(app, websitesApi.read, ({ caller, params }) => readAgain(deps, caller, params.id), READINGS);
  route(app, websitesApi.cancel, ({ caller, params }) => cancelReading(deps, caller, params.id));
  route(app, websitesApi.remove, ({ caller, params }) => removeWebsite(deps, caller, params.id));

  route(app, knowledgeBaseApi.stats, ({ caller }) => knowledgeStats(db, caller));
  route(app, knowledgeBaseApi.sources, ({ caller }) => listSources(db, caller));
  route(app, knowledgeBaseApi.sourceContents, ({ caller, params, query }) =>
    sourceContents(db, caller, params.id, query.search),
  );
  route(app, knowledgeBaseApi.removeSource, ({ caller, params }) => removeSource(deps, caller, params.id));
  route(app, knowledgeBaseApi.removeChat, ({ caller, params }) =>
    removeChat(deps, caller, params.id, Number(params.chatId)),
  );
  route(app, knowledgeBaseApi.removePerson, ({ caller, params }) =>
    removePerson(deps, caller, params.id, Number(params.personId)),
  );
  route(
    app,
    knowledgeBaseApi.messages,
    async ({ caller, query, reply }) => {
      const page = await findMessages(db, caller, query, { signal: disconnectSignal(reply) });
      if (page.next !== null) reply.header(NEXT_PAGE_HEADER, page.next);
      return page.messages;
    },
    { costly: true },
  );
}
