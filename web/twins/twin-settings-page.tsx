import { ArrowLeft, GraduationCap, MessageSquareText, Pencil } from "lucide-react";
import { useId } from "react";
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
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
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
    <>
      <TwinStatusCard twin={twin}>
        <Acts twin={twin} />
      </TwinStatusCard>
      <div className="mt-8 grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-1 gap-8">
          <SettingsList twin={twin} />
          <Performance />
        </div>
        <div className="grid grid-cols-1 gap-8">
          <TwinChannels twinId={twin.id} />
          <Info twin={twin} />
        </div>
      </div>
    </>
  );
}

/** The ways on, with the one that shows what all settings come to. */
function Acts({ twin }: { twin: Twin }) {
  return (
    <div className="flex flex-wrap gap-2 border-t pt-4">
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
  );
}

function Info({ twin }: { twin: Twin }) {
  const rows = [
    ["Имя", twin.name],
    ["Описание", twin.description],
    ["Создан", formatDate(twin.createdAt)],
    ["Обновлен", formatDate(twin.updatedAt)],
  ];
  return (
    <PaperSection id={useId()} title="Информация о двойнике">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 border-t pt-3 text-md sm:grid-cols-[max-content_minmax(0,1fr)]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-sm:-mb-2.5">{name}</dt>
            <dd className="max-w-measure whitespace-pre-line">{value}</dd>
          </div>
        ))}
      </dl>
    </PaperSection>
  );
}

/** Fixed figures that the specification orders; nothing measured may stand beside them, and they recede. */
function Performance() {
  useExample("производительность");
  return (
    <PaperSection id={useId()} title="Производительность">
      <dl className="grid grid-cols-2 gap-4 border-t pt-3">
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-muted text-sm">Обработано сообщений</dt>
          <dd className="font-semibold text-lg tabular-nums">{twinPerformance.messages}</dd>
        </div>
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-muted text-sm">Точность стиля</dt>
          <dd className="font-semibold text-lg tabular-nums">{twinPerformance.styleAccuracyPercent}%</dd>
        </div>
      </dl>
      <Button asChild size="sm" className="mt-4">
        <Link href={paths.trainAi}>
          <GraduationCap aria-hidden className="icon" />
          Обучить ИИ
        </Link>
      </Button>
    </PaperSection>
  );
}
