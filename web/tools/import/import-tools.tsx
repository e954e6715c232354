import { useState } from "react";
import { TOOLS_LIMIT, type Tool } from "#contract/actions/tools.ts";
import { plural } from "#web/i18n/plural.ts";
import { storedProxy } from "#web/parts/proxy/proxy-value.ts";
import { Button } from "#web/ui/button.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { BackToTools } from "../back-to-tools.tsx";
import { useReadDescription, useTools } from "../queries.ts";
import { ChooseCalls } from "./choose-calls.tsx";
import { DescriptionSource } from "./description-source.tsx";

interface ImportToolsProps {
  twinId: string;
  /** The address of the list. */
  back: string;
  onMade: (tools: readonly Tool[]) => void;
}

/** Makes tools of the calls that a description of the owner's system has. */
export default function ImportTools({ twinId, back, onMade }: ImportToolsProps) {
  const tools = useTools(twinId, true);
  const read = useReadDescription(twinId);
  const [changing, setChanging] = useState(false);
  // A system that is reached through a proxy often has its description behind it too.
  const [proxy, setProxy] = useState(storedProxy());
  if (tools.data === undefined)
    return tools.error ? (
      <ErrorCard title="Не удалось загрузить действия" error={tools.error} onRetry={() => void tools.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем действия...</LoadingStatus>
    );
  const room = Math.max(0, TOOLS_LIMIT - tools.data.length);
  const description = changing ? undefined : read.data;
  return (
    <div>
      <div className="mb-6 flex flex-col gap-3">
        <BackToTools twinId={twinId} />
        <h2 className="text-xl">Действия из&nbsp;описания OpenAPI</h2>
        <p className="max-w-measure text-md text-muted">
          {room === 0
            ? `У\u00a0двойника уже ${TOOLS_LIMIT} действий, больше нельзя. Удалите лишнее`
            : `У\u00a0двойника может быть ${TOOLS_LIMIT} действий, сейчас можно добавить ${plural(room, ["вызов", "вызова", "вызовов"])}`}
          . Каждое создаётся выключенным: двойник ничего не&nbsp;вызовет, пока вы его не&nbsp;проверите
          и&nbsp;не&nbsp;включите.
        </p>
      </div>
      <SettingsGroup id="import-source" title="Описание" description="Файл, который система отдаёт для программистов">
        {description === undefined || read.isPending ? (
          <>
            {read.isPending && <LoadingStatus>Читаем описание...</LoadingStatus>}
            <DescriptionSource
              busy={read.isPending}
              error={read.error}
              proxy={proxy}
              onProxy={(next) => {
                setProxy(next);
                if (read.error !== null) read.reset();
              }}
              onRead={(given) => read.mutate(given, { onSuccess: () => setChanging(false) })}
            />
            {changing && read.data !== undefined && (
              <Button variant="ghost" className="mt-4" onClick={() => setChanging(false)}>
                Оставить прежнее
              </Button>
            )}
          </>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 text-md [overflow-wrap:anywhere]">
              <span className="font-medium">{description.title || "Без названия"}</span>
              <span className="block text-muted text-sm">
                {description.format}, {plural(description.total, ["вызов", "вызова", "вызовов"])}
              </span>
            </p>
            <Button size="sm" onClick={() => setChanging(true)}>
              Заменить описание
            </Button>
          </div>
        )}
      </SettingsGroup>
      {description !== undefined && !read.isPending && (
        <ChooseCalls
          key={read.submittedAt}
          twinId={twinId}
          description={description}
          proxy={proxy}
          onProxy={setProxy}
          room={room}
          back={back}
          onMade={onMade}
        />
      )}
    </div>
  );
}
