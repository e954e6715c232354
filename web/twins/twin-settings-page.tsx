import { ArrowLeft, GraduationCap, MessageSquareText, Pencil } from "lucide-react";
import { type ComponentProps, useId } from "react";
import { Link, useParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { twinPerformance } from "#web/display-values.ts";
import { formatDate } from "#web/i18n/format.ts";
import { testChatPath } from "#web/parts/twins/test-chat-path.ts";
import { TwinScreen } from "#web/parts/twins/twin-screen.tsx";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { useExample } from "#web/ui/figures/examples.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { SettingsList } from "./settings-list.tsx";
import { TwinChannels } from "./twin-channels.tsx";
import { TwinStatusCard } from "./twin-status-card.tsx";

export default function TwinSettingsPage() {
  const { id = "" } = useParams();
  return (
    <Page title="Настройки двойника">
      <TwinScreen id={id}>{(twin) => <Settings twin={twin} />}</TwinScreen>
    </Page>
  );
}

function Settings({ twin }: { twin: Twin }) {
  return (
    <div className="flex flex-col gap-8">
      <TwinStatusCard twin={twin}>
        <TestChat twin={twin} variant="primary" className="max-sm:w-full" />
      </TwinStatusCard>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:grid-rows-[auto_1fr]">
        <Performance />
        <Info twin={twin} />
        <TwinChannels twinId={twin.id} />
      </div>
      <SettingsList twin={twin} />
      <nav aria-label="Дальше" className="flex flex-wrap gap-2 border-t pt-5">
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
        <TestChat twin={twin} className="max-sm:w-full" />
      </nav>
    </div>
  );
}

/** At the top for users who know the screen, at the bottom for those who have read it. Only one of the buttons is filled. */
function TestChat({ twin, ...props }: { twin: Twin } & Pick<ComponentProps<typeof Button>, "variant" | "className">) {
  return (
    <Button asChild {...props}>
      <Link href={testChatPath(twin.id)}>
        <MessageSquareText aria-hidden className="icon" />
        Тест чат
      </Link>
    </Button>
  );
}

function Info({ twin }: { twin: Twin }) {
  const id = useId();
  const rows = [
    ["Имя", twin.name],
    ["Описание", twin.description],
    ["Создан", formatDate(twin.createdAt)],
    ["Обновлен", formatDate(twin.updatedAt)],
  ];
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Информация о двойнике" />
      <CardBody>
        <dl className="flex flex-col gap-3 text-md">
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt className="text-muted text-sm">{name}</dt>
              <dd className="whitespace-pre-line [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
      </CardBody>
    </Card>
  );
}

/** Fixed figures that the specification requires. «Качество двойника» and analytics show measured ones. */
function Performance() {
  useExample("производительность");
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title="Производительность"
        action={
          <Button asChild size="sm">
            <Link href={paths.trainAi}>
              <GraduationCap aria-hidden className="icon" />
              Обучить ИИ
            </Link>
          </Button>
        }
      />
      <CardBody>
        <dl className="grid grid-cols-2 gap-4">
          <div>
            <dt className="text-muted text-sm">Обработано сообщений</dt>
            <dd className="font-semibold text-xl tabular-nums">{twinPerformance.messages}</dd>
          </div>
          <div>
            <dt className="text-muted text-sm">Точность стиля</dt>
            <dd className="font-semibold text-xl tabular-nums">{twinPerformance.styleAccuracyPercent}%</dd>
          </div>
        </dl>
      </CardBody>
    </Card>
  );
}
