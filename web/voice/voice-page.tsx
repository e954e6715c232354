import type { ReactNode } from "react";
import { Link } from "wouter";
import { type TwinVoice, voiceApi } from "#contract/models/voice.ts";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { DataStep } from "./data-step.tsx";
import { useTwinVoice } from "./queries.ts";
import { TrainingStep } from "./training-step.tsx";
import { UploadStep } from "./upload-step.tsx";
import { VersionsCard } from "./versions-card.tsx";

/** A model that writes as the owner does: what that takes, the way there, and what each version has brought. */
export default function VoicePage() {
  return (
    <TwinSubpage title="Обучить голос" ownerOnly>
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
  return (
    <div className="grid grid-cols-1 gap-4">
      <AboutCard voice={data} />
      {data.voices.length > 0 && <VersionsCard twinId={twin.id} voice={data} whyNot={whyNot} />}
      <DataStep twinId={twin.id} voice={data} />
      <TrainingStep baseName={data.baseName} />
      <UploadStep twinId={twin.id} voice={data} whyNot={whyNot} />
      {data.voices.length === 0 && <VersionsCard twinId={twin.id} voice={data} whyNot={whyNot} />}
    </div>
  );
}

function AboutCard({ voice }: { voice: TwinVoice }) {
  return (
    <Card aria-labelledby="voice-about">
      <CardHeader id="voice-about" title="Что это даёт" />
      <CardBody className="flex max-w-measure flex-col gap-3 text-md">
        <p>
          Сейчас модель подражает вам по нескольким примерам, которые видит перед каждым ответом. Голос — небольшая
          надстройка к&nbsp;модели, обученная на&nbsp;ваших прежних ответах: с&nbsp;ней модель сама пишет вашими словами
          и&nbsp;вашей длины. Факты двойник по-прежнему берёт только из&nbsp;документов.
        </p>
        <p className="text-muted">
          Для обучения нужен компьютер с&nbsp;видеокартой, свой или арендованный на&nbsp;час, и&nbsp;тот, кто умеет
          запустить программу из&nbsp;командной строки. Голос работает только у&nbsp;этого двойника и&nbsp;удаляется
          вместе с&nbsp;ним.
        </p>
        <WhichModel voice={voice} />
      </CardBody>
    </Card>
  );
}

function WhichModel({ voice: { model, baseName } }: { voice: TwinVoice }) {
  if (model === "local")
    return (
      <p>
        Сейчас отвечает модель <b className="font-medium">{baseName}</b>. Обучайте голос именно для&nbsp;неё.
      </p>
    );
  return (
    <Notice>
      {model === "remote" ? (
        <p>
          Сейчас отвечает удалённая модель, а&nbsp;голос работает только с&nbsp;моделью на&nbsp;этом сервере. Данные
          можно скачать и&nbsp;сейчас, а&nbsp;чтобы загрузить голос, выберите локальную модель.
        </p>
      ) : (
        <p>
          Сейчас ответы пишет встроенный движок без модели. Голос — надстройка к&nbsp;модели, поэтому сначала нужна она
          сама.
        </p>
      )}
      <Button asChild size="sm">
        <Link href={paths.model}>Перейти к&nbsp;«Модели»</Link>
      </Button>
    </Notice>
  );
}

const Notice = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col items-start gap-3 rounded-md bg-warning-soft p-3 text-warning-text">{children}</div>
);
