import { lazy, Suspense, useState } from "react";
import { ACCOUNT_WORD, type AccountDeletion, recordsApi } from "#contract/organizations/records.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useAccountDeletion } from "./queries.ts";

const DeletionDialog = lazy(() => import("./deletion-dialog.tsx"));

const OUTCOMES: Record<AccountDeletion["places"][number]["outcome"], string> = {
  deleted: "удалится целиком: кроме вас в ней никого нет",
  left: "останется; ваши двойники, заметки и тестовые чаты в ней удалятся",
  "hand-over": "сначала назначьте другого администратора или удалите её целиком",
};

export default function DeleteAccount() {
  const query = useAccountDeletion();
  const [open, setOpen] = useState(false);
  const shown = query.data;
  if (query.isError && shown === undefined) {
    return (
      <ErrorCard
        title="Не удалось узнать, что удалится вместе с аккаунтом"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const stopped = shown?.places.some(({ outcome }) => outcome === "hand-over") ?? true;
  return (
    <SettingRow
      id="delete-account"
      title="Удалить свой аккаунт"
      about="Сразу и навсегда, с вашими двойниками и перепиской, на которой они учились."
      action={
        <Button variant="danger" disabled={stopped} onClick={() => setOpen(true)}>
          Удалить аккаунт
        </Button>
      }
    >
      {shown === undefined ? (
        <Skeleton className="h-12" />
      ) : (
        <ul className="list-disc ps-5 text-md">
          {shown.places.map(({ organizationId, name, outcome }) => (
            <li key={organizationId}>
              Организация «{name}»: {OUTCOMES[outcome]}.
            </li>
          ))}
        </ul>
      )}
      <Suspense>
        {open && shown && (
          <DeletionDialog
            title="Удалить аккаунт"
            word={ACCOUNT_WORD}
            asksPassword={shown.asksPassword}
            send={(input) => call(recordsApi.deleteAccount, { input })}
            onClose={() => setOpen(false)}
          >
            <ul className="list-disc ps-5 text-md">
              <li>Удалятся ваши двойники, документы, переписка, диалоги, ключи, подключения и загруженные файлы.</li>
              <li>Каналы замолчат раньше, чем вы увидите ответ; вы выйдете на всех устройствах.</li>
              <li>Останется запись в журнале платформы: когда и сколько удалено, без имён и текстов.</li>
            </ul>
          </DeletionDialog>
        )}
      </Suspense>
    </SettingRow>
  );
}
