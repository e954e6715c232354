import { useMutation, useQuery } from "@tanstack/react-query";
import { type BusinessConnection, businessApi } from "#contract/organizations/business.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";

/** Polling interval: Telegram reports a new connection within seconds. */
const POLL_MS = 5_000;

interface BusinessSectionProps {
  integrationId: string;
  bot: string;
  readOnly: string | null;
}

/** Personal accounts whose chats are connected to the bot, and whether it may answer there. */
export function BusinessSection({ integrationId, bot, readOnly }: BusinessSectionProps) {
  const params = { id: integrationId };
  const { data } = useQuery({ ...queryOf(businessApi.list, { params }), refetchInterval: POLL_MS });
  const accept = useMutation({
    mutationFn: ({ id, accepted }: Pick<BusinessConnection, "id" | "accepted">) =>
      call(businessApi.accept, { params: { ...params, connectionId: id }, input: { accepted } }),
    onSuccess: refreshed,
    onError: toastRefusal("Не удалось сохранить", "Повторите через минуту"),
  });
  return (
    <PaperSection id="business" title="Ответы от вашего имени" description="Telegram Business">
      <div className="flex flex-col gap-4">
        <p className="max-w-measure text-md text-muted">
          В&nbsp;@BotFather включите для {bot} Business Mode. Затем в&nbsp;Telegram откройте Настройки → Telegram для
          бизнеса → Чат-боты, добавьте {bot}, выберите чаты и&nbsp;дайте право отвечать.
        </p>
        {data && data.length > 0 && (
          <ul className="divide-y rounded-lg border bg-surface">
            {data.map((connection) => {
              const { id, name, accepted } = connection;
              const { text, tone } = stateOf(connection);
              return (
                <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-3">
                  <span className="min-w-0 flex-1 text-md [overflow-wrap:anywhere]">{name}</span>
                  <Badge tone={tone}>{text}</Badge>
                  {readOnly === null && (
                    <Button
                      size="sm"
                      aria-label={`${accepted ? "Запретить" : "Разрешить"}: ${name}`}
                      busy={accept.isPending && accept.variables.id === id}
                      onClick={() => accept.mutate({ id, accepted: !accepted })}
                    >
                      {accepted ? "Запретить" : "Разрешить"}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
        {data?.some(({ accepted }) => !accepted) && (
          <p className="text-sm text-subtle">
            Подключить бота к&nbsp;себе может кто угодно. Разрешайте только свои аккаунты: до&nbsp;этого сообщения из их
            чатов не&nbsp;читаются.
          </p>
        )}
      </div>
    </PaperSection>
  );
}

function stateOf({ enabled, accepted, canReply }: BusinessConnection): { text: string; tone: BadgeTone } {
  if (!enabled) return { text: "Отключён в Telegram", tone: "neutral" };
  if (!accepted) return { text: "Ждёт разрешения", tone: "warning" };
  return canReply ? { text: "Отвечает", tone: "success" } : { text: "Без права отвечать", tone: "danger" };
}
