import type { MediaKind, MediaReader } from "#contract/models/media-readers.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { MediaForm } from "./media-form.tsx";
import { useMediaReaders } from "./queries.ts";

const TITLES: Record<MediaKind, string> = { speech: "Голосовые сообщения", picture: "Картинки" };
const DESCRIPTIONS: Record<MediaKind, string> = {
  speech: "Двойник отвечает на то, что собеседник сказал в записи; сама запись остаётся рядом с текстом.",
  picture: "Снимки экрана, чеки и фотографии: двойник отвечает на то, что на них написано.",
};

export default function MediaGroups() {
  const { user } = useSession();
  const query = useMediaReaders();
  const { data } = query;
  if (data === undefined && query.isError)
    return (
      <ErrorCard
        title="Не удалось загрузить настройки распознавания"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (data === undefined)
    return (
      <div role="status">
        <span className="sr-only">Загружаем настройки распознавания...</span>
        <Skeleton className="h-64" />
      </div>
    );
  return (
    <>
      {data.readers.map((reader) => (
        <SettingsGroup
          key={reader.kind}
          id={`media-${reader.kind}`}
          title={TITLES[reader.kind]}
          badge={<State reader={reader} />}
          description={DESCRIPTIONS[reader.kind]}
        >
          <div className="flex flex-col gap-5">
            {reader.mode === "endpoint" && reader.held !== null && (
              <p className="max-w-measure text-md text-warning-text">{HELD[reader.held]}</p>
            )}
            {reader.mode !== "off" && <UsedToday reader={reader} />}
            {user?.role === "org_admin" ? (
              <MediaForm reader={reader} mayBePrivate={data.mayBePrivate} />
            ) : (
              <p className="text-md text-muted">Изменить может администратор организации.</p>
            )}
          </div>
        </SettingsGroup>
      ))}
    </>
  );
}

const HELD = {
  organization:
    "Действует правило «Только локальная модель»: этому сервису ничего не отправляется. Правило меняется на странице «Данные организации».",
  installation: "На этой установке разрешены только локальные модели: этому сервису ничего не отправляется.",
};

function State({ reader: { mode, held, localReady } }: { reader: MediaReader }) {
  if (mode === "off") return <Badge>Не распознаются</Badge>;
  const works = mode === "local" ? localReady : held === null;
  return works ? <Badge tone="success">Распознаются</Badge> : <Badge tone="warning">Не используется</Badge>;
}

function UsedToday({ reader: { kind, usedToday, dailyLimit } }: { reader: MediaReader }) {
  return (
    <p className="text-md text-muted">
      Сегодня распознано: {usedToday} из&nbsp;{dailyLimit} {kind === "speech" ? "минут" : "картинок"}.
    </p>
  );
}
