import type { ModelRule } from "#contract/models/model-rule.ts";
import { useModelRule, useSetModelRule } from "#web/parts/records/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** The switch «Только локальная модель», and the model that writes replies at present. */
export function ModelRuleRow() {
  const { user } = useSession();
  const query = useModelRule();
  const set = useSetModelRule();
  const mayChange = user?.role === "org_admin";
  const rule = query.data;
  if (rule === undefined && query.isError) {
    return (
      <ErrorCard title="Не удалось узнать, кто пишет ответы" error={query.error} onRetry={() => void query.refetch()} />
    );
  }

  function change(localOnly: boolean) {
    set.mutate(localOnly, {
      onSuccess: () => toast({ title: localOnly ? "Разрешены только локальные модели" : "Разрешены любые модели" }),
      onError: toastError("Ошибка"),
    });
  }

  return (
    <SettingRow
      id="model-rule"
      title="Только локальная модель"
      about="Запретить отправлять переписку, документы и вопросы на чужие серверы."
      action={
        rule && (
          <span className="flex items-center gap-3 text-md">
            {rule.localOnly ? "Включено" : "Выключено"}
            <Switch
              aria-label="Только локальная модель"
              checked={rule.localOnly}
              disabled={!mayChange || set.isPending}
              onCheckedChange={change}
            />
          </span>
        )
      }
    >
      <div className="flex max-w-prose flex-col gap-2 text-md">
        {rule === undefined ? (
          <Skeleton className="h-12" />
        ) : (
          <>
            <p>{writerText(rule)}</p>
            <p className="text-muted">{searchText(rule)}</p>
            {!mayChange && (
              <p className="text-muted">Включить или выключить правило может администратор организации.</p>
            )}
          </>
        )}
      </div>
    </SettingRow>
  );
}

function writerText({ localOnly, model, engine }: ModelRule): string {
  if (model === null) return "Ответы пишет встроенный движок на этом сервере, и без запрета ничего никуда не уходит.";
  if (model.host === null)
    return "Ответы пишет модель на этом сервере и ничего никуда не передаёт. Правило её не запрещает.";
  if (model.local) return `Ответы пишет модель на собственном сервере (${model.host}). Правило её не запрещает.`;
  if (localOnly || engine === "embedded") {
    const writer = engine === "llm" ? "другая модель" : "встроенный движок";
    return `Модель на сервере ${model.host} отключена этим правилом: ответы пишет ${writer} на этом сервере.`;
  }
  return `Сейчас ответы пишет модель на чужом сервере (${model.host}). С этим правилом отвечать будет этот сервер сам.`;
}

export function searchText({ localOnly, search }: ModelRule): string {
  if (search === null) return "Поиск по знаниям идёт по словам и ничего никуда не передаёт.";
  if (search.host === null) return "Поиск по смыслу работает на этом сервере и ничего никуда не передаёт.";
  if (search.local) return `Поиск по смыслу работает на собственном сервере (${search.host}).`;
  return localOnly
    ? `Поиск по смыслу через ${search.host} отключён этим правилом: двойник ищет по словам.`
    : `Поиск по смыслу пользуется чужим сервером (${search.host}). С этим правилом двойник ищет по словам.`;
}
