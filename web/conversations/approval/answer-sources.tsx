import type { Approval } from "#contract/conversations/approvals.ts";
import { Passage } from "#web/parts/passage.tsx";
import { InlineSources } from "../inline-sources.tsx";
import { isOpenQuestion } from "./open-question.ts";

/** The documents that an answer is based on; for an unanswered question, the most similar ones. */
export function AnswerSources({ answer, beside = false }: { answer: Approval; beside?: boolean }) {
  return <InlineSources sources={answer.sources} about={aboutOf(answer)} beside={beside} />;
}

/** The same sources where there is space: the first passage is expanded, the others are collapsed. */
export function AnswerPassage({ answer }: { answer: Approval }) {
  const [first, ...others] = answer.sources;
  if (first === undefined) return null;
  return (
    <>
      <Passage
        about={aboutOf(answer) ?? (first.documentId === "" ? "Ваши слова:" : "Из\u00a0документа")}
        source={first}
        folded={isOpenQuestion(answer)}
      />
      <InlineSources sources={others} />
    </>
  );
}

const aboutOf = (answer: Approval): string | undefined =>
  isOpenQuestion(answer) ? "Ближе всего в\u00a0документах:" : undefined;
