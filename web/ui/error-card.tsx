import { clsx } from "clsx";
import { RotateCw, TriangleAlert } from "lucide-react";
import { messageOf } from "#web/api-error.ts";
import { Button } from "./button.tsx";

interface ErrorCardProps {
  /** What failed, as a whole sentence: «Не удалось загрузить двойников». */
  title?: string;
  error?: unknown;
  onRetry?: () => void;
  className?: string;
}

export function ErrorCard({ title = "Не удалось загрузить данные", error, onRetry, className }: ErrorCardProps) {
  return (
    <div
      role="alert"
      className={clsx("flex flex-col items-center gap-3 rounded-lg border bg-surface px-4 py-8 text-center", className)}
    >
      <TriangleAlert aria-hidden className="size-7 text-danger-text" strokeWidth={1.5} />
      <div>
        <p className="font-medium text-base">{title}</p>
        {error !== undefined && <p className="mt-1 max-w-prose text-md text-muted">{messageOf(error)}</p>}
      </div>
      {onRetry && (
        <Button onClick={onRetry}>
          <RotateCw aria-hidden className="icon" />
          Повторить
        </Button>
      )}
    </div>
  );
}
