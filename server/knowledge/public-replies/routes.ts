import type { FastifyInstance } from "fastify";
import { openRepliesApi } from "#contract/knowledge/open-replies.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { listOpenReplies, openReply, removeOpenReply, setOpen, skipProposal } from "./open-replies.ts";

export function mountOpenReplyRoutes(
  app: FastifyInstance,
  deps: { db: Database; jobs: Jobs; queryEmbedder: QueryEmbedder | null },
): void {
  const { db } = deps;
  route(app, openRepliesApi.list, ({ caller, params, query }) => listOpenReplies(db, caller, params.id, query.q));
  route(app, openRepliesApi.open, ({ caller, params, input }) => openReply(deps, caller, params.id, input));
  route(app, openRepliesApi.update, ({ caller, params, input }) =>
    setOpen(db, caller, params.id, params.replyId, input.open),
  );
  route(app, openRepliesApi.remove, ({ caller, params }) => removeOpenReply(db, caller, params.id, params.replyId));
  route(app, openRepliesApi.decide, ({ caller, params, input }) =>
    skipProposal(db, caller, params.id, params.proposalId, input.skipped),
  );
}
