import type { NoticeDeps } from "#server/accounts/mail/notices.ts";
import type { ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import type { Problem } from "#server/platform/errors.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";

export interface KeyDeps extends ReplyDeps {
  log: Log;
  jobs: Pick<Jobs, "enqueue">;
  notices: NoticeDeps;
  toProblem(error: unknown): Problem;
}
