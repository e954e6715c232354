import { useId } from "react";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { ReplySource } from "#contract/conversations/conversations.ts";
import { Button } from "#web/ui/button.tsx";
import { isOpenQuestion } from "./open-question.ts";

interface AnswerSourcesProps {
  answer: Approval;
  onSource: (source: ReplySource) => void;
}

/** The documents that an answer is based on; for an unanswered question, the most similar ones. */
export function AnswerSources({ answer, onSource }: AnswerSourcesProps) {
  const heading = useId();
  const { sources } = answer;
  if (sources.length === 0) return null;
  const open = isOpenQuestion(answer);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <span id={heading} className={open ? "text-muted text-sm" : "sr-only"}>
        {open ? "Ближе всего в документах:" : "Источники"}
      </span>
      <ul aria-labelledby={heading} className="contents">
        {sources.map((one, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer's sources never change
          <li key={place} className="min-w-0">
            <Button size="sm" className="max-w-full" onClick={() => onSource(one)}>
              <span className="truncate">{one.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
