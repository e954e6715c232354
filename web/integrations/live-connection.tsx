import { CircleAlert, CircleCheck, CircleDashed, ExternalLink } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Integration } from "#contract/integrations/integrations.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import QrCode from "#web/ui/figures/qr-code.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus, Spinner } from "#web/ui/states/spinner.tsx";
import { useFirstMessage } from "./conversation-queries.ts";
import { useIntegration } from "./one/integration-queries.ts";
import { WebhookAddress } from "./one/webhook-address.tsx";

/** Terms per platform for the connected account and for the invitation to send a first message. */
const WORDS: Record<string, { account: string; invite: string; connected?: (account: string) => string }> = {
  telegram: { account: "Бот", invite: "Напишите боту «Привет» — здесь появится сообщение" },
  discord: { account: "Бот", invite: "Напишите боту лично «Привет» — здесь появится сообщение" },
  max: { account: "Бот", invite: "Напишите боту в MAX «Привет» — здесь появится сообщение" },
  slack: { account: "Бот", invite: "Напишите боту лично «Привет» — здесь появится сообщение" },
  email: { account: "Ящик", invite: "Пришлите на него письмо «Привет» с другого адреса — здесь появится сообщение" },
  whatsapp: { account: "Номер", invite: "Напишите на него «Привет» — здесь появится сообщение" },
  vk: {
    account: "Сообщество",
    connected: (account) => `Сообщество «${account}» подключено`,
    invite: "Напишите сообществу «Привет» со своей страницы — здесь появится сообщение",
  },
};

const BOT_PLACES: Record<string, string> = { telegram: "https://t.me/", max: "https://max.ru/" };

interface LiveConnectionProps {
  id: string;
  onHide: () => void;
}

/** Live progress of a new connection: the key, the account, the first message. */
export default function LiveConnection({ id, onHide }: LiveConnectionProps) {
  const { data, error, refetch } = useIntegration(id);
  const card = useRef<HTMLElement>(null);
  // It stands above the form, which was sent at its lower end.
  useEffect(() => card.current?.focus(), []);
  return (
    <Card
      ref={card}
      tabIndex={-1}
      aria-labelledby="live-connection"
      className="mb-4 scroll-mt-24 focus:outline-none lg:mb-6"
    >
      <CardHeader id="live-connection" title="Подключение" description="Обновляется само" />
      <CardBody>
        {data ? (
          <Progress integration={data} onHide={onHide} />
        ) : error ? (
          <ErrorCard title="Не удалось загрузить интеграцию" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="min-h-24">Проверяем ключ...</LoadingStatus>
        )}
      </CardBody>
    </Card>
  );
}

function Progress({ integration, onHide }: { integration: Integration; onHide: () => void }) {
  const { id, platform, account, connection, limitation, lastEvent } = integration;
  const { account: word, invite, connected: saying } = WORDS[platform] ?? WORDS.telegram!;
  const connected = connection === "connected" && account !== null;
  const failed = connection === "trouble" || connection === "action";
  const place = BOT_PLACES[platform];
  const bot = place !== undefined && account?.startsWith("@") ? `${place}${account.slice(1)}` : null;
  const message = useFirstMessage(integration, connected && lastEvent !== null);
  return (
    <div className="flex flex-wrap items-start justify-between gap-5">
      <div className="flex min-w-0 flex-col gap-4">
        <ol aria-live="polite" className="flex flex-col gap-3 text-md">
          {connected ? (
            <Step state="done">{saying?.(account) ?? `${word} ${account} подключён`}</Step>
          ) : failed ? (
            <Step state="failed">
              {integration.trouble ?? integration.statusReason}.{" "}
              <Link href={paths.integration(id)} className="font-medium text-primary-text underline">
                Открыть интеграцию
              </Link>
            </Step>
          ) : (
            <Step state="doing">Ключ принят, подключаемся…</Step>
          )}
          {connected && lastEvent === null && <Step state="waiting">{limitation ?? invite}</Step>}
          {connected && lastEvent !== null && (
            <Step state="done">
              {message ? (
                <>
                  <span className="font-medium">{message.from}:</span> {message.text}
                </>
              ) : (
                "Первое сообщение пришло"
              )}
            </Step>
          )}
        </ol>
        {connected && lastEvent === null && <WebhookAddress entry={integration} />}
        <div className="flex flex-wrap gap-2">
          {message && (
            <Button asChild variant="primary">
              <Link href={paths.conversation(message.conversationId)}>Открыть диалог</Link>
            </Button>
          )}
          {connected && bot !== null && lastEvent === null && (
            <Button asChild variant="primary">
              <a href={bot} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden className="icon" />
                Открыть {account}
              </a>
            </Button>
          )}
          <Button asChild>
            <Link href={paths.integration(id)}>Настроить</Link>
          </Button>
          <Button variant="ghost" onClick={onHide}>
            Скрыть
          </Button>
        </div>
      </div>
      {connected && bot !== null && lastEvent === null && (
        <figure className="flex flex-col items-center gap-2 max-sm:hidden">
          <QrCode text={bot} label={`QR-код: открыть ${account} на телефоне`} className="size-36" />
          <figcaption className="text-sm text-subtle">Открыть на телефоне</figcaption>
        </figure>
      )}
    </div>
  );
}

function Step({ state, children }: { state: "done" | "doing" | "waiting" | "failed"; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3">
      {state === "done" && <CircleCheck aria-hidden className="icon mt-0.5 shrink-0 text-success-text" />}
      {state === "doing" && <Spinner className="icon mt-0.5 shrink-0 text-muted" />}
      {state === "waiting" && <CircleDashed aria-hidden className="icon mt-0.5 shrink-0 text-muted" />}
      {state === "failed" && <CircleAlert aria-hidden className="icon mt-0.5 shrink-0 text-danger-text" />}
      <p className="min-w-0 [overflow-wrap:anywhere]">{children}</p>
    </li>
  );
}
