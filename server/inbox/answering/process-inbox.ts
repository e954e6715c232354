/** Runs the job that writes a contact's messages into the conversation and answers them, with a draft or automatically. */
import { isBudgetSpent } from "#server/accounts/twins/model-budget.ts";
import { isMessageRefused } from "#server/answers/exam/without-answer.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { canPrefetch, prefetchQuestion } from "#server/answers/replies/prefetch-question.ts";
import { countAttempt, giveUp, uncountAttempt } from "#server/inbox/incoming/waiting-events.ts";
import { findUnansweredParts } from "#server/inbox/unanswered/unanswered-parts.ts";
import { asTenant, isDatabaseAway, type Transact } from "#server/platform/db/database.ts";
import type { AnswerDeps, AnswerJob } from "./answer-job.ts";
import { decideToAnswer } from "./decide-to-answer.ts";
import { loadBurst, loadQuestion } from "./load-burst.ts";
import { type PreparedAnswer, prepareAnswer } from "./prepare-answer.ts";
import { storeAnswer, storeUnanswered } from "./store-answer.ts";
import { streamingModeration } from "./streaming-moderation.ts";
import { keepTyping } from "./typing.ts";

/** Streams an answer that is sent without approval while it is being generated. */
export interface StreamListener {
  begins(answer: { disclosing: boolean }): void;
  delta(text: string): void;
}

/**
 * Answers one burst. Models are asked about the question first. One transaction loads the messages, decides and prepares; the answer is
 * generated outside any transaction; another one stores it.
 * @param listener waits for the answer, so the end of a burst is not awaited
 */
export async function processInbox(
  deps: AnswerDeps,
  job: AnswerJob,
  signal: AbortSignal,
  listener?: StreamListener,
): Promise<void> {
  const transact: Transact = (work) => asTenant(deps.db, job, work);
  const waitForBurst = listener === undefined;
  if (!(await transact((tx) => countAttempt(tx, job)))) return;
  // Where the budget is spent or the model refuses the message, it is left to the owner: another try would change nothing.
  let unanswered: PreparedAnswer | null = null;
  try {
    const models = await withModels(deps, job);
    const question = canPrefetch(models) ? await loadQuestion(transact, job, waitForBurst) : null;
    const prefetched = await prefetchQuestion(models, job, question);
    const prepared = await transact(async (tx) => {
      const burst = await loadBurst(tx, deps.log, job);
      if (burst === null) return null;
      const situation = await decideToAnswer(tx, deps, burst, waitForBurst);
      return situation && prepareAnswer(tx, deps, burst, situation, prefetched);
    });
    if (prepared === null) return;
    unanswered = prepared;
    const endTyping = prepared.reason === null ? keepTyping(prepared.typing) : () => {};
    try {
      const text = await generate(prepared, signal, listener);
      const { answer, conversation, shownEarly } = prepared;
      const asked = { answer, text, said: prepared.question, asker: conversation };
      const leftOpen = await findUnansweredParts(deps, job, asked);
      const sent = await transact((tx) => storeAnswer(tx, deps, prepared, text, leftOpen));
      // What seemed to wait for the owner may be sent after all, where code has worded it.
      if (sent && prepared.reason !== null) listener?.begins({ disclosing: conversation.disclosedAt === null });
      if (sent && !shownEarly) listener?.delta(text);
    } finally {
      endTyping();
    }
  } catch (error) {
    if (unanswered !== null && (isBudgetSpent(error) || isMessageRefused(error))) {
      const kept = unanswered;
      return transact((tx) => storeUnanswered(tx, deps.jobs, kept, error.message));
    }
    // Neither a shutdown nor a database that is away or full says anything about the message.
    const interrupted = signal.aborted || isDatabaseAway(error);
    const settle = transact((tx) => (interrupted ? uncountAttempt(tx, job) : giveUp(tx, job, error)));
    await settle.catch((failure: unknown) => {
      if (!interrupted) deps.log.error({ err: failure }, "a failed answer was not counted");
    });
    throw error;
  }
}

/** Returns the whole text; the listener receives the safe parts earlier. */
async function generate(
  { answer, reason, shownEarly, conversation }: PreparedAnswer,
  signal: AbortSignal,
  listener: StreamListener | undefined,
): Promise<string> {
  if (reason === null) listener?.begins({ disclosing: conversation.disclosedAt === null });
  let text = "";
  const moderation = streamingModeration();
  const show = (part: string) => (reason === null && shownEarly && part !== "" ? listener?.delta(part) : undefined);
  for await (const delta of answer.stream(signal)) {
    text += delta;
    show(moderation.push(delta));
  }
  show(moderation.end());
  return text.trim();
}
