import type { ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import type { ProviderAddresses } from "#server/inbox/channels/registry.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export interface AnswerDeps extends ReplyDeps {
  jobs: Jobs;
  vault: Vault;
  log: Log;
  config: ProviderAddresses & { loopbackAddresses: boolean };
}

export type AnswerJob = JobData["process-inbox"];
