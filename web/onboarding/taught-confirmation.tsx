import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";

interface TaughtProps {
  twinId: string;
  text: string;
  /** Audience of the answer; absent when it was taught elsewhere. */
  scope: CorrectionScope | undefined;
  taking: boolean;
  /** Absent when the correction was made elsewhere. */
  onTakeBack: (() => void) | undefined;
}

const SCOPE_NOTES: Record<CorrectionScope, string> = {
  everybody: "Двойник запомнил: на\u00a0такой вопрос он всем ответит вашими словами.",
  contact: "Двойник запомнил: этому собеседнику на\u00a0такой вопрос он ответит вашими словами.",
};

const UNKNOWN_SCOPE = "Двойник запомнил: на\u00a0такой вопрос он ответит вашими словами.";

export function TaughtConfirmation({ twinId, text, scope, taking, onTakeBack }: TaughtProps) {
  const place = useRef<HTMLDivElement>(null);
  // The clicked button is gone, so the confirmation takes the focus.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-3 focus:outline-none">
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      <p role="status" className="flex gap-2 font-medium text-md">
        <CircleCheck aria-hidden className="icon mt-0.5 text-success-text" />
        <span>{scope === undefined ? UNKNOWN_SCOPE : SCOPE_NOTES[scope]}</span>
      </p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {onTakeBack && (
          <Button size="sm" busy={taking} onClick={onTakeBack}>
            Отменить
          </Button>
        )}
        <Link
          href={paths.twinCorrections(twinId)}
          className="font-medium text-md text-primary-text underline-offset-4 hover:underline"
        >
          Всё, чему вы научили
        </Link>
      </p>
    </div>
  );
}
