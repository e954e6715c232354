import { RotateCw, TriangleAlert } from "lucide-react";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "../button.tsx";

interface GivenUpProps {
  title: string;
  detail: string;
  /** ISO 8601. */
  at: string;
  busy: boolean;
  /** Starts the work again; absent when the user may not do that. */
  onRetry: (() => void) | undefined;
}

/** Reports a background job that failed after all its tries, with a button to start it again. */
export function JobFailure({ title, detail, at, busy, onRetry }: GivenUpProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-danger-soft px-4 py-3 text-md md:px-5">
      <p className="flex min-w-0 flex-1 basis-60 gap-2.5 text-danger-text">
        <TriangleAlert aria-hidden className="icon mt-0.5" />
        <span className="min-w-0">
          <b className="font-semibold">{title}</b> Последняя попытка: {formatRecent(at)}. {detail}
        </span>
      </p>
      {onRetry && (
        <Button size="sm" busy={busy} onClick={onRetry}>
          <RotateCw aria-hidden className="icon" />
          Повторить
        </Button>
      )}
    </div>
  );
}
