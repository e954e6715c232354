import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, GraduationCap, MessageSquareText, Pencil, PlugZap } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link, useParams } from "wouter";
import { widgetApi } from "#contract/integrations/widget.ts";
import type { Twin } from "#contract/twins.ts";
import { queryOf } from "#web/api/query.ts";
import { twinPerformance } from "#web/display-values.ts";
import { formatDate } from "#web/i18n/format.ts";
import { connectionState } from "#web/parts/connection-states.ts";
import { useTwin } from "#web/parts/twins/queries.ts";
import { testChatPath } from "#web/parts/twins/test-chat-path.ts";
import { TwinScreen } from "#web/parts/twins/twin-screen.tsx";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ExampleFigure } from "#web/ui/figures/example-figure.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { PlatformIcon } from "#web/ui/platform-icon.tsx";
import { SettingsList } from "./settings-list.tsx";
import { TwinStatusCard } from "./twin-status-card.tsx";

export default function TwinSettingsPage() {
  const { id = "" } = useParams();
  const twin = useTwin(id).data;
  return (
    <Page title="Настройки двойника" description={twin?.name}>
      {/* The header has no room for a description on a phone. */}
      {twin && <p className="mb-4 font-medium text-lg [overflow-wrap:anywhere] sm:hidden">{twin.name}</p>}
      <TwinScreen id={id}>{(twin) => <Settings twin={twin} />}</TwinScreen>
    </Page>
  );
}

function Settings({ twin }: { twin: Twin }) {
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <TwinStatusCard twin={twin} />
          <SettingsList twin={twin} />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <InfoCard twin={twin} />
          <PerformanceCard />
          <IntegrationsCard twinId={twin.id} />
        </div>
      </div>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button asChild className="max-sm:flex-1">
          <Link href={paths.twins}>
            <ArrowLeft aria-hidden className="icon" />К списку
          </Link>
        </Button>
        <Button asChild className="max-sm:flex-1 sm:ms-auto">
          <Link href={paths.editTwin(twin.id)}>
            <Pencil aria-hidden className="icon" />
            Редактировать
          </Link>
        </Button>
        <Button asChild variant="primary" className="max-sm:w-full">
          <Link href={testChatPath(twin.id)}>
            <MessageSquareText aria-hidden className="icon" />
            Тест чат
          </Link>
        </Button>
      </div>
    </>
  );
}

function TitledCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title} />
      <CardBody>{children}</CardBody>
    </Card>
  );
}

function InfoCard({ twin }: { twin: Twin }) {
  const rows = [
    ["Имя", twin.name],
    ["Описание", twin.description],
    ["Создан", formatDate(twin.createdAt)],
    ["Обновлен", formatDate(twin.updatedAt)],
  ];
  return (
    <TitledCard title="Информация о двойнике">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-md sm:grid-cols-[max-content_minmax(0,1fr)]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-sm:-mb-2.5">{name}</dt>
            <dd className="max-w-measure whitespace-pre-line">{value}</dd>
          </div>
        ))}
      </dl>
    </TitledCard>
  );
}

/** Fixed figures that the specification orders; nothing measured may stand on this card. */
function PerformanceCard() {
  return (
    <TitledCard title="Производительность">
      <dl className="grid grid-cols-2 gap-4">
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-md text-muted">Обработано сообщений</dt>
          <dd className="font-semibold text-2xl tabular-nums tracking-head">
            <ExampleFigure>{twinPerformance.messages}</ExampleFigure>
          </dd>
        </div>
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-md text-muted">Точность стиля</dt>
          <dd className="font-semibold text-2xl tabular-nums tracking-head">
            <ExampleFigure>{twinPerformance.styleAccuracyPercent}%</ExampleFigure>
          </dd>
        </div>
      </dl>
      <p className="mt-4 max-w-measure text-md text-muted">
        Эти два числа показаны для&nbsp;примера, измеренное стоит в&nbsp;«Качестве двойника» и&nbsp;в&nbsp;аналитике.
      </p>
      <Button asChild className="mt-5">
        <Link href={paths.trainAi}>
          <GraduationCap aria-hidden className="icon" />
          Обучить ИИ
        </Link>
      </Button>
    </TitledCard>
  );
}

/** The two specified lines never change; a chat on the twin's site stands beside them. */
function IntegrationsCard({ twinId }: { twinId: string }) {
  const chat = useQuery(queryOf(widgetApi.list)).data?.find((each) => each.twinId === twinId);
  return (
    <TitledCard title="Интеграции">
      <ul className="flex flex-col gap-3">
        {(["email", "telegram"] as const).map((platform) => (
          <li key={platform} className="flex items-center gap-3">
            <PlatformIcon platform={platform} className="icon text-muted" />
            <span className="min-w-0 flex-1 text-md">{platform === "email" ? "Email" : "Telegram"}</span>
            <Badge>Не подключен / Доступно</Badge>
          </li>
        ))}
        {chat && (
          <li className="flex items-center gap-3">
            <PlatformIcon platform="web" className="icon text-muted" />
            <Link
              href={`${paths.twinAccess(twinId)}?tab=widget`}
              className="min-w-0 flex-1 text-md underline [overflow-wrap:anywhere]"
            >
              Чат на сайте
            </Link>
            <ChatBadge sites={chat.sites} />
          </li>
        )}
      </ul>
      <Button asChild className="mt-5">
        <Link href={paths.addIntegration}>
          <PlugZap aria-hidden className="icon" />
          Добавить интеграцию
        </Link>
      </Button>
    </TitledCard>
  );
}

/** Without a site no page may embed it. */
function ChatBadge({ sites }: { sites: readonly string[] }) {
  const { name, tone } = connectionState({ connection: sites.length > 0 ? "connected" : "paused" });
  return <Badge tone={tone}>{name}</Badge>;
}
