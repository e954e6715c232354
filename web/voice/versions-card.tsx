import { Gauge, Trash2 } from "lucide-react";
import { useState } from "react";
import type { TwinVoice, Voice, VoiceFigure } from "#contract/models/voice.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { compareFigures, figureText, isKnown } from "./figures.ts";
import { useMeasureVoice, useRemoveVoice, useSwitchVoice } from "./queries.ts";

interface VersionsCardProps {
  twinId: string;
  voice: TwinVoice;
  whyNot: string | null;
}

export function VersionsCard({ twinId, voice, whyNot }: VersionsCardProps) {
  const { voices, before, model, baseName } = voice;
  const measure = useMeasureVoice(twinId);
  if (voices.length === 0) {
    return (
      <PaperSection id="voice-versions" title="Версии почерка">
        <EmptyState
          open
          title="Почерков пока нет"
          description="Загруженный почерк появится здесь: его можно включить, измерить и удалить"
        />
      </PaperSection>
    );
  }
  return (
    <Card aria-labelledby="voice-versions">
      <CardHeader id="voice-versions" title="Версии почерка" description="Включена может быть одна, или ни одной" />
      <ul className="divide-y">
        {voices.map((one) => (
          <Version key={one.id} twinId={twinId} voice={one} before={before.figure} model={model} whyNot={whyNot} />
        ))}
      </ul>
      <CardBody className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t text-md">
        <div className="min-w-0">
          <p className="font-medium">До: без почерка{baseName !== null && `, модель ${baseName}`}</p>
          <Measured measured={before} />
        </div>
        {model === "local" && (
          <Button
            size="sm"
            busy={measure.isPending}
            disabled={before.measuring}
            whyNot={whyNot}
            onClick={() => measure.mutate(null)}
          >
            <Gauge aria-hidden className="icon" />
            Измерить без почерка
          </Button>
        )}
      </CardBody>
    </Card>
  );
}

interface VersionProps {
  twinId: string;
  voice: Voice;
  before: VoiceFigure | null;
  model: TwinVoice["model"];
  whyNot: string | null;
}

function Version({ twinId, voice, before, model, whyNot }: VersionProps) {
  const { id, version, fileName, bytes, createdAt, baseName, fits, otherFile, active, failedAt, forgottenAt, after } =
    voice;
  const change = useSwitchVoice(twinId);
  const measure = useMeasureVoice(twinId);
  const other =
    model === "local"
      ? `Этот почерк обучен для модели «${baseName}», а сейчас отвечает другая`
      : "Почерк работает только с моделью на этом сервере";
  const unusable =
    forgottenAt !== null
      ? "Почерк учился и на переписке, которую вы удалили, поэтому его нельзя включить"
      : fits
        ? null
        : other;
  // A value that was measured with another model is not comparable.
  const brought = unusable === null ? compareFigures(before, after.figure) : null;
  return (
    <li className="flex flex-col gap-3 px-4 py-4 text-md md:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            Версия {version}
            {active && fits && failedAt === null && <Badge tone="success">Отвечает этим почерком</Badge>}
            {active && fits && failedAt !== null && <Badge tone="danger">Не работает</Badge>}
            {forgottenAt !== null && <Badge tone="danger">Обучите заново</Badge>}
            {!fits && forgottenAt === null && <Badge tone="warning">Для другой модели</Badge>}
          </p>
          <p className="mt-1 text-muted text-sm [overflow-wrap:anywhere]">
            {fileName} · {formatSize(bytes)} · загружен {formatRecent(createdAt)} · для модели {baseName}
          </p>
        </div>
        <span className="flex items-center gap-2">
          <Switch
            id={`voice-${id}`}
            checked={active}
            disabled={change.isPending || whyNot !== null || (unusable !== null && !active)}
            onCheckedChange={(next) => change.mutate({ voiceId: id, active: next })}
          />
          <label htmlFor={`voice-${id}`}>{active ? "Включён" : "Выключен"}</label>
        </span>
      </div>
      {active && failedAt !== null && (
        <p role="alert" className="max-w-measure text-danger-text">
          {formatRecent(failedAt)} модель не&nbsp;смогла использовать этот почерк, и&nbsp;двойник ответил без него.
          Выключите его или загрузите новый.
        </p>
      )}
      {forgottenAt !== null && (
        <p className="max-w-measure text-danger-text">
          Этот почерк обучен и&nbsp;на&nbsp;письмах, которые вы удалили {formatRecent(forgottenAt)}, поэтому он
          выключен: двойник больше не&nbsp;говорит тем, что узнал из&nbsp;них. Скачайте данные заново, обучите новый
          почерк, а&nbsp;этот удалите.
        </p>
      )}
      {!fits && forgottenAt === null && <p className="max-w-measure text-muted">{other}.</p>}
      {otherFile && forgottenAt === null && (
        <p className="max-w-measure text-warning-text">
          Сейчас отвечает другой файл модели, чем при загрузке почерка. Если это та&nbsp;же модель, но&nbsp;сжатая
          иначе, измерьте почерк ещё раз. Если модель другая, обучите почерк на&nbsp;ней.
        </p>
      )}
      <div>
        <p className="font-medium">После: с&nbsp;этим почерком</p>
        <Measured measured={after} />
        {brought !== null && !after.measuring && <p className="mt-1">{brought}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={measure.isPending}
          disabled={after.measuring}
          whyNot={whyNot ?? unusable}
          onClick={() => measure.mutate(id)}
        >
          <Gauge aria-hidden className="icon" />
          Измерить с&nbsp;этим почерком
        </Button>
        <RemoveButton twinId={twinId} voice={voice} whyNot={whyNot} />
      </div>
    </li>
  );
}

function Measured({ measured: { figure, measuring, failedAt } }: { measured: TwinVoice["before"] }) {
  if (measuring)
    return (
      <LoadingStatus className="justify-start!">
        Измеряем: двойник отвечает на&nbsp;сотню ваших старых вопросов, это может занять полчаса...
      </LoadingStatus>
    );
  return (
    <>
      {isKnown(figure) ? (
        <p className="text-muted tabular-nums">
          Похож на&nbsp;вас на&nbsp;{figureText(figure)}. Измерено {formatRecent(figure.measuredAt)}
        </p>
      ) : figure === null ? (
        <p className="text-muted">Ещё не&nbsp;измеряли</p>
      ) : (
        <p className="text-muted">
          Чтобы измерить, пока мало переписки: подробнее на&nbsp;странице «Качество двойника»
        </p>
      )}
      {failedAt !== null && (
        <p className="text-danger-text">
          Последнее измерение не&nbsp;удалось: {formatRecent(failedAt)}. Попробуйте ещё раз.
        </p>
      )}
    </>
  );
}

function RemoveButton({ twinId, voice, whyNot }: { twinId: string; voice: Voice; whyNot: string | null }) {
  const [open, setOpen] = useState(false);
  const remove = useRemoveVoice(twinId);
  return (
    <>
      <Button
        size="sm"
        variant="danger"
        whyNot={whyNot}
        onClick={() => setOpen(true)}
        aria-label={`Удалить версию ${voice.version}`}
      >
        <Trash2 aria-hidden className="icon" />
        Удалить
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Удалить версию ${voice.version}?`}
        description={
          voice.active
            ? "Двойник станет отвечать без почерка. Файл удалится с сервера, вернуть его можно будет только новой загрузкой."
            : "Файл удалится с сервера, вернуть его можно будет только новой загрузкой."
        }
        confirmLabel="Удалить"
        cancelLabel="Оставить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(voice.id, { onSuccess: () => setOpen(false) })}
      />
    </>
  );
}
