import type { Approval } from "#contract/conversations/approvals.ts";
import { InlineSources } from "../inline-sources.tsx";
import { isOpenQuestion } from "./open-question.ts";

/** The documents that an answer is based on; for an unanswered question, the most similar ones. */
export function AnswerSources({ answer }: { answer: Approval }) {
  return <InlineSources sources={answer.sources} about={aboutOf(answer)} />;
}

/** The same where there is room: the first passage is read at once, the others are a press away. */
export function AnswerPassage({ answer }: { answer: Approval }) {
  const [first, ...others] = answer.sources;
  if (first === undefined) return null;
  return (
    <>
      <figure className="flex max-w-measure flex-col gap-1 border-s-2 ps-3 text-muted text-sm">
        <figcaption>
          {aboutOf(answer) ?? (first.documentId === "" ? "Ваши слова:" : "Из\u00a0документа")} «{first.name}»
        </figcaption>
        <blockquote className="whitespace-pre-wrap text-fg [overflow-wrap:anywhere]">{first.text}</blockquote>
      </figure>
      <InlineSources sources={others} />
    </>
  );
}

const aboutOf = (answer: Approval): string | undefined =>
  isOpenQuestion(answer) ? "Ближе всего в\u00a0документах:" : undefined;
