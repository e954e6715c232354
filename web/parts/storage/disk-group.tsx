import { formatSize } from "#web/i18n/size.ts";
import { useSession } from "#web/session/session.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { usePlatformDisk } from "./queries.ts";
import { SpaceMeter } from "./space-meter.tsx";

const DISK_WARNINGS = {
  enough: null,
  low: "Место заканчивается: забытые загрузки удаляются раньше срока. Освободите или добавьте место.",
  full: "Места почти нет: загрузки всех организаций приостановлены. Освободите или добавьте место.",
} as const;

export function DiskGroup() {
  const { user } = useSession();
  const { data, isError, error, refetch } = usePlatformDisk();
  if (user?.superAdmin !== true) return null;
  if (isError && !data) {
    return <ErrorCard title="Не удалось узнать, сколько места на диске" error={error} onRetry={() => refetch()} />;
  }
  return (
    <SettingsGroup id="disk" title="Диск сервера">
      {data ? (
        <>
          {DISK_WARNINGS[data.disk] && (
            <p role="status" className="mb-4 rounded-lg bg-warning-soft px-4 py-3 text-md text-warning-text">
              {DISK_WARNINGS[data.disk]}
            </p>
          )}
          <SpaceMeter
            label="Занято на диске"
            usedBytes={data.totalBytes - data.freeBytes}
            totalBytes={data.totalBytes}
            parts={[
              ["Свободно для загрузок", Math.max(0, data.freeBytes - data.floorBytes)],
              ["Запас, который загрузки не\u00a0займут", data.floorBytes],
              ["Файлы выгрузок", data.uploadsBytes],
            ]}
          />
          <p className="mt-4 text-sm text-subtle">
            Каждой организации можно занять до {formatSize(data.organizationBytes)}.
          </p>
        </>
      ) : (
        <Skeleton className="h-16" />
      )}
    </SettingsGroup>
  );
}
