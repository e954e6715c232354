import { clsx } from "clsx";
import { RotateCw, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import { ApiError, codeOf, messageOf } from "#web/api/api-error.ts";
import { paths } from "#web/paths.ts";
import { Button } from "../button.tsx";
import { RequestNumber } from "./request-number.tsx";

interface ErrorCardProps {
  /** A whole sentence: «Не удалось загрузить двойников». */
  title?: string;
  error?: unknown;
  detail?: string;
  onRetry?: () => void;
  retryLabel?: string;
  className?: string;
}

export function ErrorCard(props: ErrorCardProps) {
  const { title = "Не удалось загрузить данные", error, onRetry, retryLabel = "Повторить", className } = props;
  // A retry does not change what a user may see.
  const refused = error instanceof ApiError && error.status === 403;
  // A missing role is not a failure.
  const closed = refused && codeOf(error) === "forbidden";
  const detail = props.detail ?? (error === undefined ? undefined : messageOf(error));
  return (
    <div
      role="alert"
      className={clsx("flex flex-col items-center gap-3 rounded-lg border bg-surface px-4 py-8 text-center", className)}
    >
      {!closed && <TriangleAlert aria-hidden className="size-7 text-danger-text" strokeWidth={1.5} />}
      <div>
        <p className="font-medium text-base">{closed ? "Это показано не всем" : title}</p>
        {detail && <p className="mt-1 max-w-prose text-md text-muted">{detail}</p>}
        {error !== undefined && !closed && (
          <div className="flex justify-center">
            <RequestNumber error={error} />
          </div>
        )}
      </div>
      {onRetry &&
        (refused ? (
          <Button asChild>
            <Link href={paths.home}>На главную</Link>
          </Button>
        ) : (
          <Button onClick={onRetry}>
            <RotateCw aria-hidden className="icon" />
            {retryLabel}
          </Button>
        ))}
    </div>
  );
}
