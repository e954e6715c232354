import { Link } from "wouter";
import { type Notifications, PUSH_DEVICES_LIMIT } from "#contract/organizations/notifications.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { pushSupport, switchedOn } from "#web/parts/push/this-browser.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { SettingRow, SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { MissingRow } from "../missing-row.tsx";
import { ChoiceTable } from "./choice-table.tsx";
import { useNotifications, useRemove, useSwitchOn, useTry } from "./queries.ts";

/** Notifications that the user receives while the application is closed, and their channels. */
export function NotificationsGroup() {
  const query = useNotifications();
  const support = pushSupport();
  const noPush = query.data?.devices.length === 0 && support !== "works" && WHY_NOT[support];
  return (
    <SettingsGroup
      id="notifications"
      title="Уведомления"
      description="Сколько ждёт вашего решения. Имён и слов собеседников в них нет"
    >
      {query.data ? (
        <>
          {!noPush && <Browsers notifications={query.data} />}
          {query.data.mailTo !== null && (
            <SettingRow id="by-mail" title="Письмом" about={`Письма приходят на ${query.data.mailTo}.`} />
          )}
          <SettingRow
            id="by-telegram"
            title="В Telegram"
            about="Черновики с кнопками присылает подключённый бот: включите это на его странице."
            action={
              <Button asChild>
                <Link href={paths.integrations}>Открыть интеграции</Link>
              </Button>
            }
          />
          {/* Without a browser that receives push messages there is nothing to select, whatever was chosen before. */}
          <ChoiceTable
            notifications={query.data}
            push={query.data.devices.length > 0 || pushSupport() === "works"}
            mail={query.data.mailTo !== null}
          />
          {noPush && (
            <MissingRow id="by-push" title="В браузере">
              {noPush}
            </MissingRow>
          )}
          {query.data.mailTo === null && (
            <MissingRow id="by-mail" title="Письмом">
              нужен подтверждённый email, и&nbsp;у&nbsp;сервера должна работать почта.
            </MissingRow>
          )}
        </>
      ) : query.error ? (
        <ErrorCard
          title="Не удалось загрузить уведомления"
          error={query.error}
          onRetry={() => void query.refetch()}
          className="border-0!"
        />
      ) : (
        // About the height of the content, so that buttons below do not move.
        <LoadingStatus className="min-h-96 p-5">Загружаем уведомления...</LoadingStatus>
      )}
    </SettingsGroup>
  );
}

const WHY_NOT = {
  denied: "Уведомления этого сайта запрещены в браузере. Разрешите их в настройках сайта и обновите страницу.",
  "home-screen": "На iPhone и iPad сначала добавьте сайт на экран «Домой»: «Поделиться» → «На экран Домой».",
  unsupported: "Этот браузер не умеет получать уведомления.",
};

function Browsers({ notifications: { devices, publicKey } }: { notifications: Notifications }) {
  const { user } = useSession();
  const userId = user?.id ?? "";
  const own = switchedOn(userId);
  const here = devices.find(({ id, current }) => current || id === own);
  const on = useSwitchOn(userId);
  const remove = useRemove(userId);
  const attempt = useTry();
  const support = pushSupport();
  const full = devices.length >= PUSH_DEVICES_LIMIT;
  return (
    <SettingRow
      id="by-push"
      title="В браузере"
      about={
        here !== undefined
          ? "Этот браузер получает уведомления, и когда страница закрыта."
          : support !== "works"
            ? WHY_NOT[support]
            : full
              ? `Браузеров уже ${PUSH_DEVICES_LIMIT}: уберите лишние.`
              : "Уведомления придут в этот браузер, и когда страница закрыта."
      }
      action={
        here !== undefined ? (
          <div className="flex flex-wrap gap-2">
            <Button busy={attempt.isPending} onClick={() => attempt.mutate(here.id)}>
              Проверить
            </Button>
            <Button busy={remove.isPending} onClick={() => remove.mutate(here.id)}>
              Выключить здесь
            </Button>
          </div>
        ) : (
          support === "works" &&
          !full && (
            <Button busy={on.isPending} onClick={() => on.mutate(publicKey)}>
              {on.isPending ? "Включаем..." : "Включить в этом браузере"}
            </Button>
          )
        )
      }
    >
      {devices.length > 0 && (
        <ul aria-label="Браузеры с уведомлениями" className="divide-y border-t">
          {devices.map(({ id, name, createdAt }) => (
            <li key={id} className="flex items-center justify-between gap-3 py-3 text-md">
              <div className="min-w-0">
                <p className="truncate">
                  {name ?? "Неизвестный браузер"} {id === here?.id && <Badge tone="info">Этот браузер</Badge>}
                </p>
                <p className="text-sm text-subtle">Включён {formatMoment(createdAt)}</p>
              </div>
              {id !== here?.id && (
                <Button
                  variant="ghost"
                  aria-label={`Убрать: ${name ?? "Неизвестный браузер"}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(id)}
                >
                  Убрать
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </SettingRow>
  );
}
