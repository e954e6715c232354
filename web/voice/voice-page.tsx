import { Link } from "wouter";
import { type TwinVoice, voiceApi } from "#contract/models/voice.ts";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { DataStep } from "./data-step.tsx";
import { useTwinVoice } from "./queries.ts";
import { TrainingStep } from "./training-step.tsx";
import { UploadStep } from "./upload-step.tsx";
import { VersionsCard } from "./versions-card.tsx";

/** Grid of the page: actions on the left, requirements and data on the right. */
const COLUMNS = "grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]";

export default function VoicePage() {
  return (
    <TwinSubpage title="Почерк двойника" ownerOnly expert>
      {(twin) => <TwinsVoice twin={twin} />}
    </TwinSubpage>
  );
}

function TwinsVoice({ twin }: { twin: Twin }) {
  const query = useTwinVoice(twin.id);
  const whyNot = useWhyNot(voiceApi.change, twin);
  const { data } = query;
  if (data === undefined) {
    if (query.error)
      return (
        <ErrorCard title="Не удалось загрузить страницу" error={query.error} onRetry={() => void query.refetch()} />
      );
    return (
      <div role="status" aria-label="Загружаем" className="grid gap-4">
        <Skeleton className="h-40" />
        <Skeleton className="h-32" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  const versions = <VersionsCard twinId={twin.id} voice={data} whyNot={whyNot} />;
  return (
    <div className="flex flex-col gap-8">
      <div className={COLUMNS}>
        <PaperSection id="voice-about" title="Что это даёт" lead>
          <div className="flex max-w-measure flex-col gap-3 text-base">
            <p>
              Почерк — надстройка к&nbsp;модели, обученная на&nbsp;ваших прежних ответах: с&nbsp;ней двойник пишет
              вашими словами и&nbsp;вашей длины, а&nbsp;факты по-прежнему берёт только из&nbsp;документов.
            </p>
            <p className="text-md text-muted">
              Почерк работает только у&nbsp;этого двойника и&nbsp;удаляется вместе с&nbsp;ним.
            </p>
          </div>
        </PaperSection>
        <WhichModel voice={data} />
      </div>
      {data.voices.length > 0 && versions}
      <div className={COLUMNS}>
        <Card>
          <ol className="divide-y">
            <DataStep twinId={twin.id} voice={data} />
            <TrainingStep baseName={data.baseName} />
            <UploadStep twinId={twin.id} voice={data} whyNot={whyNot} />
          </ol>
        </Card>
        {data.voices.length === 0 && versions}
      </div>
    </div>
  );
}

/** The local model that the adapter is for; without one there is nothing to adapt. */
function WhichModel({ voice: { model, baseName } }: { voice: TwinVoice }) {
  return (
    <PaperSection id="voice-model" title="Какая модель отвечает">
      <div className="flex flex-col items-start gap-3 border-t py-4 text-md">
        {model === "local" ? (
          <p>
            <b className="font-medium">{baseName}</b>. Обучайте почерк именно для&nbsp;неё.
          </p>
        ) : (
          <>
            <p>
              {model === "remote"
                ? "Удалённая, а почерк работает только с моделью на этом сервере. Данные можно скачать и сейчас."
                : "Пока никакая: ответы пишет встроенный движок. Почерку сначала нужна модель."}
            </p>
            <Button asChild variant={model === "remote" ? "outline" : "primary"} className="max-sm:w-full">
              <Link href={paths.model}>Выбрать модель</Link>
            </Button>
          </>
        )}
      </div>
    </PaperSection>
  );
}
