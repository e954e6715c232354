import type { FastifyInstance } from "fastify";
import { DocumentInput, knowledgeApi } from "#contract/knowledge.ts";
import { knowledgeBaseApi, NEXT_PAGE_HEADER } from "#contract/knowledge-base.ts";
import type { Database } from "#server/db/database.ts";
import { leavingReader, on, parse } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import type { StorageDeps } from "#server/organizations/storage.ts";
import { uploadDialogue } from "./dialogues.ts";
import { addDocument, getDocument, listDocuments, removeDocument } from "./documents.ts";
import { findMessages } from "./find-messages.ts";
import { knowledgeStats, listSources } from "./knowledge-base.ts";
import { removeChat, removePerson, removeSource, sourceContents } from "./source-contents.ts";
import { uploadDocuments } from "./upload-documents.ts";

interface KnowledgeDeps extends StorageDeps {
  db: Database;
  jobs: Jobs;
  config: StorageDeps["config"] & { dataDir: string };
  log: Log;
}

export function mountKnowledgeRoutes(app: FastifyInstance, deps: KnowledgeDeps): void {
  const { db } = deps;
  on(app, knowledgeApi.documents, ({ viewer }) => listDocuments(db, viewer));
  on(app, knowledgeApi.document, ({ viewer, params }) => getDocument(db, viewer, params.id));
  on(
    app,
    knowledgeApi.upload,
    ({ viewer, request }) =>
      request.isMultipart()
        ? uploadDocuments(deps, viewer, request)
        : addDocument(deps, viewer, parse(DocumentInput, request.body)),
    { rawBody: true },
  );
  on(app, knowledgeApi.removeDocument, ({ viewer, params }) => removeDocument(deps, viewer, params.id));
  on(app, knowledgeApi.uploadDialogue, ({ viewer, input }) => uploadDialogue(deps, viewer, input));

  on(app, knowledgeBaseApi.stats, ({ viewer }) => knowledgeStats(db, viewer));
  on(app, knowledgeBaseApi.sources, ({ viewer }) => listSources(db, viewer));
  on(app, knowledgeBaseApi.sourceContents, ({ viewer, params, query }) =>
    sourceContents(db, viewer, params.id, query.search),
  );
  on(app, knowledgeBaseApi.removeSource, ({ viewer, params }) => removeSource(deps, viewer, params.id));
  on(app, knowledgeBaseApi.removeChat, ({ viewer, params }) =>
    removeChat(deps, viewer, params.id, Number(params.chatId)),
  );
  on(app, knowledgeBaseApi.removePerson, ({ viewer, params }) =>
    removePerson(deps, viewer, params.id, Number(params.personId)),
  );
  on(
    app,
    knowledgeBaseApi.messages,
    async ({ viewer, query, reply }) => {
      const page = await findMessages(db, viewer, query, { signal: leavingReader(reply) });
      if (page.next !== null) reply.header(NEXT_PAGE_HEADER, page.next);
      return page.messages;
    },
    { costly: true },
  );
}
