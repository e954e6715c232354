import { Link } from "wouter";
import type { Gap } from "#contract/gaps.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { answerCheckText, askedCountText, gapProgressText, notifiedCountText } from "./gap-words.ts";

interface ClosedGapProps {
  gap: Gap;
  working: boolean;
  busy: boolean;
  onReopen: () => void;
}

export function ClosedGap({ gap, working, busy, onReopen }: ClosedGapProps) {
  const { question, questions, answer, answeredBy, ignoredAs } = gap;
  const told = notifiedCountText(questions);
  const check = ignoredAs === null ? answerCheckText(gap) : null;
  const asked = askedCountText(gap);
  const atWork = gapProgressText(gap, working);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 [overflow-wrap:anywhere] md:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium text-md">{question}</p>
        {answer && <p className="mt-0.5 max-w-measure whitespace-pre-line text-md">{answer.text}</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
          {check && <Badge tone={check.known ? "success" : "warning"}>{check.text}</Badge>}
          {answer && <Badge>{answer.scope === "everybody" ? "Для всех" : "Только тем, кто спросил"}</Badge>}
          {ignoredAs && <Badge>{ignoredAs === "not_question" ? "Не вопрос" : "Не отвечать"}</Badge>}
          {asked !== null && <span>{asked}.</span>}
          {answeredBy === "knowledge" && <span>Двойник узнал ответ из&nbsp;своих знаний.</span>}
          {told && (
            <span>
              {told}.
              {questions.some((one) => one.told === "draft") && (
                <>
                  {" "}
                  <Link href={paths.approvals} className="underline">
                    Открыть черновики
                  </Link>
                </>
              )}
            </span>
          )}
          {atWork && <span>{atWork}</span>}
        </p>
      </div>
      <Button size="sm" disabled={busy} onClick={onReopen}>
        Вернуть
        <span className="sr-only">: {question}</span>
      </Button>
    </li>
  );
}
