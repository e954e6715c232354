import type { RemoteModel } from "#contract/models/remote-model.ts";
import { PRESETS } from "#contract/models/remote-model-presets.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { ModelExam } from "./model-exam.tsx";
import { useRemoteModel } from "./queries.ts";
import { RemoteForm } from "./remote-form.tsx";
import { RemoteSearch } from "./remote-search.tsx";
import { SpentToday } from "./spent-today.tsx";
import { TurnCost } from "./turn-cost.tsx";

export default function RemoteModelGroup() {
  const { user } = useSession();
  const query = useRemoteModel();
  const remote = query.data;
  if (remote === undefined && query.isError)
    return (
      <ErrorCard
        title="Не удалось загрузить настройки модели"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <SettingsGroup
      id="remote-model"
      title="Удалённая модель"
      badge={remote && <State remote={remote} />}
      description="GigaChat, YandexGPT и другие серверы с моделями — для всех двойников организации."
    >
      <div className="flex flex-col gap-6">
        {remote === undefined ? (
          <div role="status">
            <span className="sr-only">Загружаем настройки модели...</span>
            <Skeleton className="h-64" />
          </div>
        ) : (
          <>
            {remote.held !== null && (
              <p className="max-w-measure text-md text-warning-text">{PAUSE_REASONS[remote.held]}</p>
            )}
            {remote.settings?.enabled && <SpentToday today={remote.today} currency={remote.settings.currency} />}
            {user?.role === "org_admin" ? <RemoteForm remote={remote} /> : <Summary remote={remote} />}
            {remote.settings?.enabled && <TurnCost exam={remote.exam} settings={remote.settings} />}
            {remote.settings?.enabled && remote.held === null && user?.role === "org_admin" && (
              <RemoteSearch key={remote.settings.baseUrl} settings={remote.settings} />
            )}
            <ModelExam remote={remote} mayTake={user?.role === "org_admin"} />
          </>
        )}
      </div>
    </SettingsGroup>
  );
}

const PAUSE_REASONS = {
  organization:
    "Действует правило «Только локальная модель»: эта модель не получает ничего, отвечает сам сервер. Правило меняется на странице «Данные организации».",
  installation:
    "На этой установке разрешены только локальные модели: чужая модель не получает ничего, отвечает сам сервер.",
};

function State({ remote: { settings, held, exam } }: { remote: RemoteModel }) {
  if (settings === null) return <Badge>Не подключена</Badge>;
  if (!settings.enabled) return <Badge>Выключена</Badge>;
  if (held !== null) return <Badge tone="warning">Не используется</Badge>;
  if (exam?.ability === "small-talk") return <Badge tone="warning">Только беседа</Badge>;
  return <Badge tone="success">Отвечает</Badge>;
}

function Summary({ remote: { settings } }: { remote: RemoteModel }) {
  return (
    <div className="flex flex-col gap-2 text-md">
      <p className="[overflow-wrap:anywhere]">
        {settings === null
          ? "Удалённая модель не подключена: двойники отвечают моделью этой установки."
          : `${PRESETS[settings.preset].name}, модель ${settings.model}, сервер ${new URL(settings.baseUrl).host}.`}
      </p>
      <p className="text-muted">Подключить или изменить модель может администратор организации.</p>
    </div>
  );
}
