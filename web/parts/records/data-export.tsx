import { Download, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { type DataExport, EXPORT_KEPT_DAYS, type ExportFailure } from "#contract/organizations/records.ts";
import { formatDate, formatShare } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { type ExportCalls, useAccountExport, useOrganizationExport } from "./export-queries.ts";

export function AccountExport() {
  return (
    <DataExportRow
      id="account-export"
      title="Ваши данные"
      description="Один zip-архив со всем, что принадлежит вам в этой организации"
      calls={useAccountExport()}
    >
      <p>
        Профиль, двойники и их знания, документы, переписка, диалоги, исправления, настройки, согласия и журнал ваших
        действий. Переписку и документы можно загрузить в новый аккаунт. Паролей и ключей в архиве нет.
      </p>
    </DataExportRow>
  );
}

/** Lets an administrator download the organisation's data; other members do not see it. */
export function OrganizationExport() {
  const { user } = useSession();
  const calls = useOrganizationExport(user?.role === "org_admin");
  if (user?.role !== "org_admin") return null;
  return (
    <DataExportRow
      id="organization-export"
      title="Данные организации в одном архиве"
      description="Zip-архив для администратора"
      calls={calls}
    >
      <p>
        Двойники, документы, диалоги с собеседниками, подключения, участники, журнал действий и счета. Личной переписки
        участников здесь нет: каждый выгружает свою сам в разделе «Мой аккаунт».
      </p>
    </DataExportRow>
  );
}

interface DataExportRowProps {
  id: string;
  title: string;
  description: string;
  calls: ExportCalls;
  children: ReactNode;
}

function DataExportRow({ id, title, description, calls, children }: DataExportRowProps) {
  const { query, request, remove, download } = calls;
  if (query.isError && query.data === undefined) {
    return (
      <ErrorCard
        title="Не удалось узнать, готова ли выгрузка"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const state = query.data;
  const open = state?.state === "waiting" || state?.state === "running";
  return (
    <SettingRow
      id={id}
      title={title}
      about={description}
      action={
        state !== undefined &&
        !open &&
        state?.state !== "ready" && (
          <Button busy={request.isPending} onClick={() => request.mutate()}>
            {state?.state === "failed" ? "Подготовить ещё раз" : "Выгрузить все данные"}
          </Button>
        )
      }
    >
      <div className="flex max-w-prose flex-col gap-3 text-md">
        {children}
        {state === undefined && <Skeleton className="h-10" />}
        <div role="status" className="empty:hidden">
          {state && <State state={state} />}
        </div>
        {open && (
          <>
            <Progress
              value={state.state === "waiting" ? null : state.progress * 100}
              label="Подготовка выгрузки"
              className="max-w-md"
            />
            <div>
              <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate("Выгрузка отменена")}>
                Отменить
              </Button>
            </div>
          </>
        )}
        {state?.state === "ready" && (
          <div className="flex flex-wrap gap-2">
            <Button busy={download.isPending} onClick={() => download.mutate()}>
              {!download.isPending && <Download aria-hidden className="icon" />}
              {download.isPending ? "Скачиваем..." : `Скачать, ${formatSize(state.bytes)}`}
            </Button>
            <Button busy={request.isPending} onClick={() => request.mutate()}>
              Подготовить заново
            </Button>
            <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate("Архив удалён")}>
              <Trash2 aria-hidden className="icon" />
              Удалить архив
            </Button>
          </div>
        )}
      </div>
    </SettingRow>
  );
}

const FAILURES: Record<ExportFailure, string> = {
  storage_full: "Не удалось: готовые выгрузки участников занимают слишком много места. Удалите ненужные и повторите.",
  no_space: "Не удалось: на сервере почти не осталось места. Повторите позже или напишите администратору платформы.",
  broken: "Не удалось подготовить архив. Повторите; если не поможет, напишите администратору платформы.",
  outdated:
    "Архив удалён: после начала выгрузки были удалены данные, которые могли в него попасть. Подготовьте его ещё раз.",
  not_allowed: "Не удалось: у вас больше нет прав на эти данные.",
};

function State({ state: { state, reason, progress, readyAt, keptUntil } }: { state: DataExport }) {
  if (state === "waiting") return <p>Ждёт своей очереди. Страницу можно закрыть: архив будет ждать вас здесь.</p>;
  if (state === "running") {
    return (
      <p>
        Готовится: <span className="tabular-nums">{formatShare(progress)}</span>. Страницу можно закрыть: архив будет
        ждать вас здесь {EXPORT_KEPT_DAYS} дней.
      </p>
    );
  }
  if (state === "failed") return <p className="text-danger-text">{FAILURES[reason ?? "broken"]}</p>;
  return (
    <p>
      <span className="font-medium">Готово.</span> Скачать архив можете только вы. Данные на {formatDate(readyAt ?? "")}
      , хранится до {formatDate(keptUntil ?? "")}
    </p>
  );
}
