import { clsx } from "clsx";
import { Split } from "lucide-react";
import { Link } from "wouter";
import type { Gap } from "#contract/gaps.ts";
import { formatMessageTime } from "#web/i18n/when.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { PlatformIcon } from "#web/ui/platform-icon.tsx";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";

interface GapQuestionsProps {
  gap: Gap;
  busy: boolean;
  onSplit?: (questionId: string) => void;
}

/** The questions of a gap, newest first, each with a link to its conversation. The wording is shown if it differs from the heading. */
export function GapQuestions({ gap: { question, questions }, busy, onSplit }: GapQuestionsProps) {
  const wordings = new Set(questions.map(({ text }) => text)).size;
  return (
    <ul aria-label="Кто спрашивал" className="mt-2 flex flex-col gap-2">
      {questions.map(({ id, text, conversationId, messageId, platform, contactName, askedAt }) => (
        <li
          key={id}
          className={clsx(
            "flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1",
            (wordings > 1 || text !== question) && "border-s-2 ps-3",
          )}
        >
          <div className="min-w-0 flex-1 basis-60">
            {(wordings > 1 || text !== question) && <p className="whitespace-pre-line text-md">{wholeNumbers(text)}</p>}
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-muted text-sm">
              {platform !== "test" && <PlatformIcon platform={platform} className="icon shrink-0" />}
              <span className="truncate">{platform === "test" ? "Ваш тестовый чат" : contactName}</span>
              <time dateTime={askedAt} className="shrink-0 tabular-nums">
                {formatMessageTime(askedAt)}
              </time>
              <Link href={paths.message(conversationId, messageId)} className="underline">
                Показать в&nbsp;диалоге
              </Link>
            </div>
          </div>
          {onSplit && wordings > 1 && (
            <Button size="sm" variant="ghost" className="max-sm:-ms-3" disabled={busy} onClick={() => onSplit(id)}>
              <Split aria-hidden className="icon" />
              Отделить
              <span className="sr-only">: {text}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
