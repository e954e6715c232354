/** What answering programs with an API key needs. */
import type { NoticeDeps } from "#server/auth/notices/notices.ts";
import type { Problem } from "#server/errors.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import type { ReplyDeps } from "#server/replies/answer-conversation.ts";

export interface KeyDeps extends ReplyDeps {
  log: Log;
  jobs: Pick<Jobs, "enqueue">;
  notices: NoticeDeps;
  /** Turns any failure into the refusal that its caller reads. */
  toProblem(error: unknown): Problem;
}
