import { CircleAlert, CircleCheck, CircleSlash } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link } from "wouter";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { Twin } from "#contract/twins.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { testChatPath } from "#web/parts/twins/test-chat-path.ts";
import { Button } from "#web/ui/button.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { RejectedLines } from "./rejected-lines.tsx";

const AttachedProgress = lazy(() => import("./attached-progress.tsx"));

interface ImportResultProps {
  state: ImportState;
  twin: Twin | undefined;
  onAnother: () => void;
}

export function ImportResult({ state, twin, onAnother }: ImportResultProps) {
  const [again, setAgain] = useState(false);
  if (again) return <ImportPreview state={state} twin={twin} />;
  const { status, chats, error } = state;
  return (
    <div className="flex flex-col gap-5">
      {status === "done" ? (
        <Ending icon={<CircleCheck aria-hidden className="icon mt-0.5 text-success-text" />}>Импорт завершён</Ending>
      ) : status === "failed" ? (
        <Ending icon={<CircleAlert aria-hidden className="icon mt-0.5 text-danger-text" />}>
          {error ?? "Не удалось импортировать данные"}
        </Ending>
      ) : (
        <Ending icon={<CircleSlash aria-hidden className="icon mt-0.5 text-muted" />}>Импорт отменён</Ending>
      )}
      {(status === "done" || state.imported > 0) && <Counts state={state} />}
      {state.attached && state.attached.total > 0 && (
        <Suspense>
          <AttachedProgress attached={state.attached} />
        </Suspense>
      )}
      <RejectedLines state={state} />
      <div className="flex flex-wrap gap-3">
        {status === "done" && twin && (
          <Button asChild variant="primary">
            <Link href={testChatPath(twin.id)}>Проверить двойника</Link>
          </Button>
        )}
        {status === "failed" && chats.length > 0 && (
          <Button variant="primary" onClick={() => setAgain(true)}>
            Попробовать снова
          </Button>
        )}
        <Button onClick={onAnother}>Загрузить другой файл</Button>
      </div>
    </div>
  );
}

function Ending({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex gap-2.5 font-medium text-base">
      {icon}
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

function Counts({ state }: { state: ImportState }) {
  const counts = [
    ["Импортировано", state.imported],
    ["Повторов", state.duplicates],
    ["Не прочитано", state.rejectedCount],
  ] as const;
  return (
    <dl className="grid gap-2 rounded-lg border p-4 sm:grid-cols-3 sm:gap-3">
      {counts.map(([label, count]) => (
        <div key={label} className="flex min-w-0 items-baseline justify-between gap-3 sm:block">
          <dt className="text-sm text-subtle">{label}</dt>
          <dd className="font-semibold text-xl tabular-nums">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
