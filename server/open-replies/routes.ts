import type { FastifyInstance } from "fastify";
import { openRepliesApi } from "#contract/open-replies.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { listOpenReplies, openReply, removeOpenReply, setOpen, skipProposal } from "./open-replies.ts";

export function mountOpenReplyRoutes(
  app: FastifyInstance,
  deps: { db: Database; jobs: Jobs; meanings: Meanings | null },
): void {
  const { db } = deps;
  on(app, openRepliesApi.list, ({ viewer, params, query }) => listOpenReplies(db, viewer, params.id, query.q));
  on(app, openRepliesApi.open, ({ viewer, params, input }) => openReply(deps, viewer, params.id, input));
  on(app, openRepliesApi.update, ({ viewer, params, input }) =>
    setOpen(db, viewer, params.id, params.replyId, input.open),
  );
  on(app, openRepliesApi.remove, ({ viewer, params }) => removeOpenReply(db, viewer, params.id, params.replyId));
  on(app, openRepliesApi.decide, ({ viewer, params, input }) =>
    skipProposal(db, viewer, params.id, params.proposalId, input.skipped),
  );
}
