/** The job that writes a contact's messages into the conversation and answers them, with a draft or automatically. */

import { isBudgetSpent } from "#server/accounts/twins/model-budget.ts";
import { answerConversation } from "#server/answers/replies/answer-conversation.ts";
import { findUnansweredParts } from "#server/inbox/conversations/unanswered/unanswered-parts.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { countAttempt, giveUp, uncountInterruptedAttempt } from "../inbox/set-aside/answer-attempts.ts";
import type { AnswerDeps, AnswerInProgress, AnswerJob } from "./answer-in-progress.ts";
import { incomingQuestion } from "./incoming-question.ts";
import { prepareAnswer } from "./prepare-answer.ts";
import { storeAnswer, storeUnanswered } from "./store-answer.ts";
import { streamingModeration } from "./streaming-moderation.ts";
import { keepTyping } from "./typing.ts";

/** Streams an answer that is sent without approval while it is being generated. */
export interface StreamListener {
  begins(answer: { disclosing: boolean }): void;
  delta(text: string): void;
}

/** @param listener waits for the answer, so the end of a burst is not waited for */
export async function processInbox(
  deps: AnswerDeps,
  job: AnswerJob,
  signal: AbortSignal,
  listener?: StreamListener,
): Promise<void> {
  const patient = listener === undefined;
  if (!(await countAttempt(deps, job))) return;
  const failed = (error: unknown) => (signal.aborted ? uncountInterruptedAttempt(deps, job) : giveUp(deps, job, error));
  let answering: AnswerInProgress | null;
  try {
    answering = await answerConversation(deps, job, {
      ahead: () => incomingQuestion(deps, job, patient),
      read: (reading) => prepareAnswer(reading, deps, job, patient),
    });
  } catch (error) {
    await failed(error);
    throw error;
  }
  if (answering === null) return;
  const endTyping = answering.reason === null ? keepTyping(answering.typing) : () => {};
  try {
    if (answering.reason === null) listener?.begins({ disclosing: answering.conversation.disclosedAt === null });
    let text = "";
    const reading = streamingModeration();
    const show = (part: string) =>
      answering.reason === null && answering.shownEarly && part !== "" ? listener?.delta(part) : undefined;
    for await (const delta of answering.answer.stream(signal)) {
      text += delta;
      show(reading.push(delta));
    }
    show(reading.end());
    const { answer, question, conversation } = answering;
    const leftOpen = await findUnansweredParts(deps, job, {
      answer,
      text: text.trim(),
      said: question,
      asker: conversation,
    });
    const sent = await asTenant(deps.db, job, (tx) => storeAnswer(tx, deps, job, answering, text.trim(), leftOpen));
    if (sent && !answering.shownEarly) listener?.delta(text.trim());
  } catch (error) {
    if (isBudgetSpent(error)) {
      await asTenant(deps.db, job, (tx) => storeUnanswered(tx, job, answering, error.message));
      return;
    }
    await failed(error);
    throw error;
  } finally {
    endTyping();
  }
}
