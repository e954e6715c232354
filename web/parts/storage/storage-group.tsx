import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useStorage } from "./queries.ts";
import { SpaceMeter } from "./space-meter.tsx";
import { StorageNotice } from "./storage-notice.tsx";

export function StorageGroup() {
  const { data, isError, error, refetch } = useStorage();
  if (isError && !data) {
    return <ErrorCard title="Не удалось узнать, сколько места занято" error={error} onRetry={() => refetch()} />;
  }
  return (
    <SettingsGroup
      id="storage"
      title="Занятое место"
      description="Когда место закончится, новые загрузки не будут приняты; двойники продолжат отвечать"
    >
      <StorageNotice className="mb-4" />
      {data ? (
        <SpaceMeter
          label="Занято организацией"
          usedBytes={data.usedBytes}
          totalBytes={data.limitBytes}
          parts={filled([
            ["Файлы выгрузок", data.uploadsBytes],
            ["Документы", data.documentsBytes],
            ["Поисковые индексы", data.indexesBytes],
            ["Записи и картинки собеседников", data.mediaBytes],
          ])}
        />
      ) : (
        <Skeleton className="h-16" />
      )}
    </SettingsGroup>
  );
}

const filled = (parts: [name: string, bytes: number][]) => parts.filter(([, bytes]) => bytes > 0);
