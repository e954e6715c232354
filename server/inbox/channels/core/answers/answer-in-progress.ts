import type { Answer, ReplyDeps } from "#server/answers/replies/answer-conversation.ts";
import type { Plan } from "#server/answers/replies/reply-request.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import type { ProviderAddresses } from "../../registry.ts";
import type { ConversationRow } from "../conversations/contact-conversation.ts";
import type { SenderTrust } from "../conversations/sender-trust.ts";

export interface AnswerDeps extends ReplyDeps {
  jobs: Jobs;
  vault: Vault;
  log: Log;
  config: ProviderAddresses;
}

export type AnswerJob = JobData["process-inbox"];

/** The messages that a contact wrote in one go, and the answer that is being made to them. */
export interface AnswerInProgress {
  eventIds: number[];
  conversation: ConversationRow;
  question: string;
  sender: SenderTrust;
  answer: Answer;
  reason: string | null;
  /** The reason to wait for the owner that follows from the plan once the answer exists. */
  reasonFor: (plan: Plan) => string | null;
  /** Whether it is certain before the answer is complete that it is sent; otherwise no part of it is shown. */
  shownEarly: boolean;
  receivedAt: Date;
  typing: () => Promise<void>;
}
