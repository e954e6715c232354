import { CircleAlert, CircleCheck } from "lucide-react";
import { Link } from "wouter";
import { formatNumber } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import type { ShownStats } from "./setup-queries.ts";

/** `none`: the response named no integration, so there was nothing to import into. */
export type ImportOutcome = { kind: "none" } | { kind: "failed" } | { kind: "done"; stats: ShownStats | null };

const texts: Record<ImportOutcome["kind"], { title: string; about: string }> = {
  done: { title: "Аккаунт подключён, двойник обучен", about: "Проверьте в диалоге, похоже ли он отвечает." },
  none: { title: "Аккаунт подключён", about: "Переписка не импортировалась: добавьте её на странице обучения." },
  failed: {
    title: "Аккаунт подключён, но переписку импортировать не удалось",
    about: "Загрузите файл выгрузки Telegram на странице обучения или повторите импорт позже.",
  },
};

export function CompleteStep({ outcome, onAgain }: { outcome: ImportOutcome; onAgain: () => void }) {
  const { title, about } = texts[outcome.kind];
  const Icon = outcome.kind === "failed" ? CircleAlert : CircleCheck;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-start gap-3">
        <Icon
          aria-hidden
          className={`icon mt-0.5 ${outcome.kind === "failed" ? "text-warning-text" : "text-success-text"}`}
        />
        <div className="min-w-0">
          <h3 className="text-base">{title}</h3>
          <p className="text-md text-muted">
            {about}{" "}
            {outcome.kind !== "done" && (
              <Link href={paths.trainAi} className="font-medium text-primary-text underline">
                Обучить ИИ
              </Link>
            )}
          </p>
        </div>
      </div>
      {outcome.kind === "done" && outcome.stats && <Stats stats={outcome.stats} />}
      <div className="flex flex-wrap gap-2">
        <Button asChild variant="primary" className="max-sm:w-full">
          <Link href={paths.conversations}>Протестировать ИИ двойника</Link>
        </Button>
        <Button onClick={onAgain} className="max-sm:w-full">
          Настроить еще один аккаунт
        </Button>
      </div>
    </div>
  );
}

function Stats({ stats: { dialogsProcessed, dialogsSkipped, totalMessages, analysis } }: { stats: ShownStats }) {
  const rows: [string, string | null | undefined][] = [
    ["Обработано диалогов", dialogsProcessed === undefined ? null : formatNumber(dialogsProcessed)],
    ["Пропущено диалогов", dialogsSkipped ? `${formatNumber(dialogsSkipped)}: их больше нет в аккаунте` : null],
    ["Импортировано сообщений", formatNumber(totalMessages)],
    ["Стиль общения", analysis?.communicationStyle],
    ["Личность", analysis?.personality],
    ["Темы", analysis?.expertise.join(", ")],
  ];
  return (
    <dl className="grid grid-cols-1 gap-x-6 rounded-md bg-sunken p-4 sm:gap-y-2 text-md sm:grid-cols-[max-content_minmax(0,1fr)]">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt className="text-muted max-sm:text-sm">{name}</dt>
              <dd className="[overflow-wrap:anywhere] max-sm:mb-2">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
