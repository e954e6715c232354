import type { Approval } from "#contract/conversations/approvals.ts";
import { InlineSources } from "../inline-sources.tsx";
import { isOpenQuestion } from "./open-question.ts";

/** The documents that an answer is based on; for an unanswered question, the most similar ones. */
export function AnswerSources({ answer }: { answer: Approval }) {
  return (
    <InlineSources
      sources={answer.sources}
      about={isOpenQuestion(answer) ? "Ближе всего в\u00a0документах:" : undefined}
    />
  );
}
