import { MAX_VOICES, type TwinVoice } from "#contract/models/voice.ts";
import { formatShare } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { FileDrop } from "#web/ui/forms/file-drop.tsx";
import { Step } from "./step.tsx";
import { dropVoiceSending, sendVoice, useVoiceSending, type VoiceSending } from "./voice-upload.ts";

interface UploadStepProps {
  twinId: string;
  voice: TwinVoice;
  whyNot: string | null;
}

export function UploadStep({ twinId, voice, whyNot }: UploadStepProps) {
  const sending = useVoiceSending(twinId);
  return (
    <Step number={3} title="Загрузите файл почерка" description="Тот файл .gguf, который получился при обучении">
      {voice.model !== "local" ? (
        <p className="max-w-measure text-muted">Загрузить почерк можно, когда отвечает модель на&nbsp;этом сервере.</p>
      ) : voice.voices.length >= MAX_VOICES ? (
        <p className="max-w-measure text-muted">
          Хранится не&nbsp;больше {MAX_VOICES} версий. Чтобы загрузить новую, удалите ту, что больше не&nbsp;нужна.
        </p>
      ) : whyNot !== null ? (
        <p className="max-w-measure text-muted">{whyNot}</p>
      ) : (
        (sending === null || sending.reason !== undefined) && (
          <>
            {sending === null && voice.upload !== null && voice.upload.offset > 0 && (
              <p className="max-w-measure text-muted [overflow-wrap:anywhere]">
                Загрузка «{voice.upload.fileName}» прервалась на&nbsp;
                {formatShare(voice.upload.offset / voice.upload.bytes)}. Выберите тот же файл, и&nbsp;она продолжится.
              </p>
            )}
            <FileDrop
              label="Перетащите файл почерка или выберите на устройстве"
              hint="GGUF, до 512 МБ"
              accept=".gguf"
              multiple={false}
              onFiles={([file]) => file && void sendVoice(twinId, file)}
            />
          </>
        )
      )}
      {sending !== null && <Sending sending={sending} />}
    </Step>
  );
}

function Sending({ sending: { name, share, waiting, reason } }: { sending: VoiceSending }) {
  const said = waiting ? "ждём связи с сервером" : share >= 1 ? "проверяем файл" : `загружено ${formatShare(share)}`;
  return (
    <div className="flex flex-col items-start gap-2">
      <p role={reason === undefined ? "status" : "alert"} className="max-w-measure [overflow-wrap:anywhere]">
        {reason === undefined ? (
          `${name}: ${said}`
        ) : (
          <span className="text-danger-text">
            {name}: {reason}
          </span>
        )}
      </p>
      {reason === undefined && (
        <Progress value={share * 100} label="Загрузка файла почерка" className="w-full max-w-xl" />
      )}
      <Button size="sm" onClick={dropVoiceSending}>
        {reason === undefined ? "Остановить" : "Убрать"}
      </Button>
    </div>
  );
}
