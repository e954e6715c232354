import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type AccountSecurity, accountApi } from "#contract/organizations/account.ts";
import { call } from "#web/api/call.ts";
import { refresh } from "#web/api/refresh.ts";
import { formatMoment, formatNumber } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { SettingRow, SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { MissingRow } from "./missing-row.tsx";
import { useNotices } from "./queries.ts";

/** Number of notices shown at first: the latest and the new ones suffice to notice a problem, the others are loaded on request. */
const FIRST_SHOWN = 3;

/** Security notices of the account and the emails about them; opening the page marks the notices as seen. */
export function NoticesGroup({ security }: { security: AccountSecurity }) {
  const query = useNotices();
  const [all, setAll] = useState(false);
  const { mutate: markSeen } = useMutation({ mutationFn: () => call(accountApi.noticesSeen) });
  const shown = query.data?.filter(({ seen }, at) => all || !seen || at < FIRST_SHOWN) ?? [];
  const unseen = query.data?.some(({ seen }) => !seen) ?? false;
  useEffect(() => {
    if (!unseen) return;
    markSeen();
    // New notices stay marked while the user looks; the bell is refetched afterwards.
    return () => refresh({ tags: ["notices"] });
  }, [unseen, markSeen]);
  return (
    <SettingsGroup
      id="notices"
      title="События безопасности"
      description="Если что-то сделали не вы, смените пароль и выйдите везде"
    >
      {query.data?.length === 0 && <p className="pb-5 text-md text-muted">Пока ничего не происходило.</p>}
      {shown.length > 0 && (
        <ul className="divide-y">
          {shown.map(({ id, text, at, seen }) => (
            <li key={id} className="py-3 text-md first:pt-0">
              <p className="[overflow-wrap:anywhere]">
                {text} {!seen && <Badge tone="info">Новое</Badge>}
              </p>
              <p className="text-sm text-subtle">{formatMoment(at)}</p>
            </li>
          ))}
        </ul>
      )}
      {query.data && query.data.length > shown.length && (
        <Button size="sm" className="mb-5" onClick={() => setAll(true)}>
          Показать все события: {formatNumber(query.data.length)}
        </Button>
      )}
      {query.isPending && <LoadingStatus className="p-5">Загружаем события...</LoadingStatus>}
      {query.error && !query.data && (
        <ErrorCard
          title="Не удалось загрузить события"
          error={query.error}
          onRetry={() => void query.refetch()}
          className="border-0!"
        />
      )}
      <Letters security={security} />
    </SettingsGroup>
  );
}

const LETTERS_ABOUT = [
  "вход с нового устройства",
  "смена или сброс пароля",
  "включение и отключение входа по коду, коды восстановления",
  "добавление и удаление ключа доступа",
  "новый ключ API",
  "новый участник вашей организации (администраторам)",
];

/** Events that emails are sent about. They cannot be switched off, because an attacker would do that first. */
function Letters({ security: { mail, email, emailConfirmed } }: { security: AccountSecurity }) {
  const where =
    email === null
      ? "У аккаунта нет email, поэтому писем не будет: события видны здесь и под колокольчиком."
      : !emailConfirmed
        ? "Письма начнут приходить, когда вы подтвердите email. До этого события видны здесь и под колокольчиком."
        : mail
          ? `Письма приходят на ${email}.`
          : "Письма сейчас отправить нельзя: события видны здесь и под колокольчиком.";
  if (email === null || !emailConfirmed || !mail) {
    return (
      <MissingRow id="security-letters" title="Письма о безопасности">
        {where}
      </MissingRow>
    );
  }
  return (
    <SettingRow id="security-letters" title="Письма о безопасности" about={where}>
      <details className="-mt-2 text-md">
        <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-fg">О чём эти письма</summary>
        <ul className="mt-2 list-disc ps-5">
          {LETTERS_ABOUT.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
        <p className="mt-2 text-muted">Отключить их нельзя, чтобы этого не сделал чужой.</p>
      </details>
    </SettingRow>
  );
}
