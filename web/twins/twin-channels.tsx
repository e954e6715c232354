import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { PlugZap } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { widgetApi } from "#contract/integrations/widget.ts";
import { queryOf } from "#web/api/query.ts";
import { channelName } from "#web/parts/channel-name.ts";
import { ConnectionBadge } from "#web/parts/connection-badge.tsx";
import { isDisconnected, siteChatConnection } from "#web/parts/connection-states.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";

/** The twin's channels with their states; below them the two rows that the specification fixes. */
export function TwinChannels({ twinId }: { twinId: string }) {
  const chat = useQuery(queryOf(widgetApi.list)).data?.find((each) => each.twinId === twinId);
  const all = useQuery(queryOf(integrationsApi.list)).data;
  const own = Array.isArray(all) ? all.filter(({ digitalTwinId }) => digitalTwinId === twinId) : [];
  const connected = own.length > 0 || chat !== undefined;
  const id = useId();
  return (
    <Card aria-labelledby={id} className="flex flex-col md:col-start-2 md:row-span-2 md:row-start-1">
      <CardHeader id={id} title="Интеграции" />
      <CardBody className="flex flex-1 flex-col">
        {connected && (
          <ul aria-label="Подключено" className="-mt-3 divide-y">
            {own.map(({ id, status, connection, statusReason, ...channel }) => (
              <Channel
                key={id}
                platform={channel.platform}
                to={paths.integration(id)}
                name={platformName(channel.platform)}
                account={channelName(channel)}
                badge={<ConnectionBadge status={status} connection={connection} statusReason={statusReason} />}
                cure={isDisconnected({ status, connection, statusReason }) ? "Что случилось и что делать" : null}
              />
            ))}
            {chat && (
              <Channel
                platform="web"
                to={`${paths.twinAccess(twinId)}?tab=widget`}
                name="Чат на сайте"
                account={null}
                badge={<ConnectionBadge connection={siteChatConnection(chat.sites)} />}
              />
            )}
          </ul>
        )}
        {connected && <h3 className="mt-4 font-medium text-md">Можно добавить</h3>}
        <ul aria-label="Можно добавить" className={clsx("divide-y", !connected && "-mt-3")}>
          {(["email", "telegram"] as const).map((platform) => (
            <li key={platform} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
              <PlatformTile platform={platform} muted />
              <div className="min-w-24 flex-1 text-md text-muted">
                {platform === "email" ? "Email" : "Telegram"}
                {own.some((one) => one.platform === platform) && <p className="text-sm">Ещё аккаунт</p>}
              </div>
              <Badge>Не подключен / Доступно</Badge>
            </li>
          ))}
        </ul>
        <Button asChild size="sm" className="mt-auto self-start">
          <Link href={paths.addIntegration}>
            <PlugZap aria-hidden className="icon" />
            Добавить интеграцию
          </Link>
        </Button>
      </CardBody>
    </Card>
  );
}

interface ChannelProps {
  platform: string;
  to: string;
  name: string;
  account: string | null;
  badge: ReactNode;
  /** What the row leads to while the channel does not work. */
  cure?: string | null;
}

function Channel({ platform, to, name, account, badge, cure }: ChannelProps) {
  return (
    <li className="relative flex items-center gap-3 py-3 hover:text-primary-text">
      <PlatformTile platform={platform} />
      <div className="min-w-0 flex-1">
        {/* The whole row is clickable; the link's accessible name is its title alone. */}
        <Link href={to} className="font-medium text-md after:absolute after:inset-0">
          {name}
        </Link>
        {account && <p className="truncate text-muted text-sm">{account}</p>}
        {cure && <p className="text-primary-text text-sm underline underline-offset-4">{cure}</p>}
      </div>
      {badge}
    </li>
  );
}
