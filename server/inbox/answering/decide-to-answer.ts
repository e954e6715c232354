import {
  type AnswerSituation,
  shouldSendAwayMessage,
  silenceReason,
} from "#server/inbox/conversation-control/answer-policy.ts";
import { transcriptText } from "#server/inbox/conversation-control/contact-conversation.ts";
import { closedNow } from "#server/inbox/conversation-control/working-hours.ts";
import { isBeingRead } from "#server/inbox/incoming/incoming-media.ts";
import { uncountAttempt } from "#server/inbox/incoming/waiting-events.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { AnswerDeps } from "./answer-job.ts";
import { enqueueAwayMessage } from "./fixed-replies.ts";
import { type Burst, burstEnd, settleEvents } from "./load-burst.ts";
import { mayBeSent } from "./unproven-limit.ts";

/**
 * @param waitForBurst whether to wait for the end of a burst of messages
 * @returns the situation for the answer; null when its messages were settled or are answered later
 */
export async function decideToAnswer(
  tx: Tx,
  deps: AnswerDeps,
  burst: Burst,
  waitForBurst: boolean,
): Promise<AnswerSituation | null> {
  const { job, conversation, open, questions, contact, stopped, sender } = burst;
  const situation = situationOf(burst);
  const last = questions.at(-1);
  const signals = { stopped, awayToldAt: conversation.awayToldAt, sender, stopUnproven: contact.stopUnproven };
  if (last !== undefined && shouldSendAwayMessage(situation, signals) && (await mayBeSent(tx, burst)))
    await enqueueAwayMessage(tx, deps, burst, transcriptText(last.inbound));
  const silent = silenceReason(situation);
  if (last === undefined || silent !== null) {
    await settleEvents(tx, open, "ignored", silent);
    return null;
  }
  // The job that recognises the last recording or picture enqueues this one again.
  if (open.some(({ inbound }) => isBeingRead(inbound))) {
    await uncountAttempt(tx, job);
    return null;
  }
  const end = waitForBurst ? burstEnd(open) : null;
  if (end !== null) {
    await uncountAttempt(tx, job);
    await deps.jobs.enqueue(tx, "process-inbox", job, end);
    return null;
  }
  return situation;
}

const situationOf = ({ integration, twin, conversation, optedOutAt, contact }: Burst): AnswerSituation => ({
  twinActive: twin.isActive,
  integrationStatus: integration.status,
  autonomy: conversation.autonomy ?? integration.autonomy,
  pausedUntil: conversation.pausedUntil,
  optedOutAt,
  consentRefused: contact.consentRefused,
  closed: closedNow(integration.workingHours),
  now: new Date(),
});
