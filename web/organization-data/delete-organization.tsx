import { lazy, Suspense, useState } from "react";
import { recordsApi } from "#contract/organizations/records.ts";
import { call } from "#web/api/call.ts";
import { useOrganizationDeletion } from "#web/parts/records/queries.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

const DeletionDialog = lazy(() => import("#web/parts/records/deletion-dialog.tsx"));

export function DeleteOrganization() {
  const { user } = useSession();
  const mayDelete = user?.role === "org_admin";
  const address = useOwnOrganization();
  const query = useOrganizationDeletion(mayDelete);
  const [open, setOpen] = useState(false);
  if (!mayDelete) return null;
  if (query.isError && query.data === undefined) {
    return (
      <ErrorCard
        title="Не удалось узнать, что удалится вместе с организацией"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const shown = query.data;
  return (
    <SettingRow
      id="delete-organization"
      title="Удалить организацию"
      about="Сразу и навсегда, со всеми двойниками и их знаниями."
      action={
        <Button variant="danger" disabled={shown === undefined} onClick={() => setOpen(true)}>
          Удалить организацию
        </Button>
      }
    >
      {shown === undefined ? (
        <Skeleton className="h-12" />
      ) : (
        <p className="max-w-prose text-md">
          Двойников: {shown.counts.twins}, участников: {shown.members}. Каналы замолчат раньше, чем вы увидите ответ;
          аккаунты участников останутся.
        </p>
      )}
      <Suspense>
        {open && shown && (
          <DeletionDialog
            title={`Удалить «${shown.name}»`}
            word={shown.name}
            asksPassword={shown.asksPassword}
            send={(input) => call(recordsApi.deleteOrganization, { ...address, input })}
            onClose={() => setOpen(false)}
          >
            <ul className="list-disc ps-5 text-md">
              <li>Удалятся двойники, документы, переписка, диалоги, ключи, подключения, счета и загруженные файлы.</li>
              <li>Участники потеряют доступ к организации, их аккаунты останутся.</li>
              <li>Останется запись в журнале платформы: когда, кем и сколько удалено, без имён и текстов.</li>
            </ul>
          </DeletionDialog>
        )}
      </Suspense>
    </SettingRow>
  );
}
