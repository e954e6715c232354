import { History } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { TwinVersion } from "#contract/versions.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { useRestore, useVersions } from "#web/parts/corrections/queries.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CAUSES, versionName } from "./version-name.ts";

const CompareDialog = lazy(() => import("./compare-dialog.tsx"));

interface VersionsCardProps {
  twinId: string;
  readOnly: boolean;
}

export function VersionsCard({ twinId, readOnly }: VersionsCardProps) {
  const query = useVersions(twinId);
  const restore = useRestore(twinId);
  const [compared, setCompared] = useState<TwinVersion | null>(null);
  const [chosen, setChosen] = useState<TwinVersion | null>(null);
  const versions = query.data;
  if (!versions) {
    return query.error ? (
      <ErrorCard title="Не удалось загрузить версии" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-40">Загружаем версии...</LoadingStatus>
    );
  }

  function goBack(version: TwinVersion, left: TwinVersion) {
    restore.mutate(version.id, {
      onSuccess: () => {
        setChosen(null);
        const undo = () => restore.mutate(left.id, { onSuccess: () => toast({ title: "Возврат отменён" }) });
        actionToast("Версия возвращена", [{ label: "Отменить", onPress: undo }]);
      },
    });
  }

  return (
    <Card aria-labelledby="versions">
      <CardHeader
        id="versions"
        title="Версии"
        description="Двойник после каждого обучения и каждого изменения. Документы и переписка в версии не входят."
      />
      {versions.length === 0 ? (
        <EmptyState
          icon={History}
          title="Версий пока нет"
          description="Первая появится после обучения или первого изменения."
        />
      ) : (
        <ul className="divide-y">
          {versions.map((version, at) => (
            <li
              key={version.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3 md:px-5"
            >
              <div className="min-w-0 max-sm:w-full">
                <p className="flex flex-wrap items-center gap-2 text-md">
                  {CAUSES[version.cause]}
                  {at === 0 && <Badge tone="primary">Сейчас</Badge>}
                </p>
                <p className="text-sm text-subtle [overflow-wrap:anywhere]">
                  {[formatRecent(version.updatedAt), version.author, version.changed.join(", ")]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
              </div>
              {versions.length > 1 && (
                <div className="flex gap-2">
                  <Button
                    size="sm"
                    onClick={() => setCompared(version)}
                    aria-label={`Сравнить: ${versionName(version)}`}
                  >
                    Сравнить
                  </Button>
                  {at > 0 && (
                    <Button
                      size="sm"
                      disabled={readOnly}
                      onClick={() => setChosen(version)}
                      aria-label={`Вернуть: ${versionName(version)}`}
                    >
                      Вернуть
                    </Button>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={chosen !== null}
        onOpenChange={(open) => !open && setChosen(null)}
        title="Вернуть эту версию?"
        description="Описания, стиль общения и исправления станут такими, как были тогда. Нынешняя версия останется в списке."
        confirmLabel="Вернуть"
        busy={restore.isPending}
        onConfirm={() => chosen && goBack(chosen, versions[0]!)}
      />
      <Suspense>
        {compared && (
          <CompareDialog twinId={twinId} version={compared} versions={versions} onClose={() => setCompared(null)} />
        )}
      </Suspense>
    </Card>
  );
}
