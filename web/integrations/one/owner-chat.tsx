import { useMutation, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { OWNER_LINK_MINUTES, type OwnerLink, ownerChatApi } from "#contract/integrations/owner-chat.ts";
import { call, send } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** Polling interval while the user links the chat in Telegram. */
const POLL_MS = 3_000;

interface OwnerChatProps {
  integrationId: string;
  bot: string;
}

/** Links the member's own chat with the bot, in which drafts can be decided in Telegram. */
export function OwnerChat({ integrationId, bot }: OwnerChatProps) {
  const params = { id: integrationId };
  const { data, error, refetch } = useQuery({ ...queryOf(ownerChatApi.get, { params }), refetchInterval: POLL_MS });
  const [unlinking, setUnlinking] = useState(false);
  const link = useMutation({
    mutationFn: () => call(ownerChatApi.link, { params }),
    onError: toastRefusal("Ссылка не создана", "Повторите через минуту"),
  });
  const unlink = useMutation({
    mutationFn: () => send(ownerChatApi.unlink, { params }),
    onSuccess: async () => {
      link.reset();
      await refreshed();
      setUnlinking(false);
      toast({ title: "Чат отвязан" });
    },
    onError: toastRefusal("Чат не отвязан", "Повторите через минуту"),
  });
  const linked = data?.linkedAt != null;
  return (
    <PaperSection
      id="owner-chat"
      title="Решения в Telegram"
      action={data && <Badge tone={linked ? "success" : "neutral"}>{linked ? "Чат связан" : "Не связан"}</Badge>}
    >
      <div className="flex flex-col gap-4">
        <p className="max-w-measure text-md text-muted">
          Черновики всех каналов двойника приходят вам в&nbsp;личный чат с&nbsp;{bot}. Под каждым три кнопки: отправить,
          изменить, отклонить.
        </p>
        {data === undefined ? (
          error ? (
            <Failed onRetry={() => void refetch()} />
          ) : (
            <Skeleton className="h-control w-44" />
          )
        ) : linked ? (
          <div className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1 text-md [overflow-wrap:anywhere]">
              {data.name}
              <span className="block text-sm text-subtle">связан {formatMoment(data.linkedAt!)}</span>
            </p>
            <Button size="sm" variant="danger" onClick={() => setUnlinking(true)}>
              Отвязать
            </Button>
          </div>
        ) : link.data === undefined ? (
          <Button className="self-start" busy={link.isPending} onClick={() => link.mutate()}>
            {!link.isPending && <Send aria-hidden className="icon" />}
            Связать мой чат
          </Button>
        ) : (
          <Opening link={link.data} bot={bot} busy={link.isPending} onAgain={() => link.mutate()} />
        )}
      </div>
      <ConfirmDialog
        open={unlinking}
        onOpenChange={setUnlinking}
        title="Отвязать чат?"
        description="Черновики перестанут приходить в Telegram. Решать по ним можно будет в разделе «Диалоги»."
        confirmLabel="Отвязать"
        destructive
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate()}
      />
    </PaperSection>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-danger-text text-md">Не удалось узнать, связан ли чат.</p>
      <Button size="sm" onClick={onRetry}>
        Повторить
      </Button>
    </div>
  );
}

interface OpeningProps {
  link: OwnerLink;
  bot: string;
  busy: boolean;
  onAgain: () => void;
}

/** The page detects automatically that «Старт» was pressed. */
function Opening({ link, bot, busy, onAgain }: OpeningProps) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <a href={link.url} target="_blank" rel="noreferrer">
            <Send aria-hidden className="icon" />
            Открыть {bot}
          </a>
        </Button>
        <Button variant="ghost" busy={busy} onClick={onAgain}>
          Новая ссылка
        </Button>
      </div>
      <p className="max-w-measure text-sm text-subtle">
        В&nbsp;Telegram нажмите «Старт». Ссылка только для вас: она действует {OWNER_LINK_MINUTES}&nbsp;минут
        и&nbsp;срабатывает один раз.
      </p>
    </div>
  );
}
