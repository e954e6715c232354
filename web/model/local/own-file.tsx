import { formatShare } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { FileDrop } from "#web/ui/forms/file-drop.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { dropModelUpload, sendModel, useModelUpload } from "./file-upload.ts";

export function OwnFile() {
  const upload = useModelUpload();
  return (
    <SettingsGroup
      id="own-model-file"
      title="Свой файл"
      description="Если скачать не получается: модель в формате GGUF с вашего компьютера"
    >
      <div className="flex flex-col gap-4">
        {(upload === null || upload.reason !== undefined) && (
          <FileDrop
            label="Перетащите файл модели или выберите на устройстве"
            touchLabel="Выберите файл модели"
            hint="GGUF, до 64 ГБ. Прерванная загрузка продолжится, если выбрать тот же файл"
            accept=".gguf"
            multiple={false}
            onFiles={([file]) => file && void sendModel(file)}
          />
        )}
        {upload !== null && (
          <div className="flex flex-col gap-2 text-md">
            <p role="status" className="[overflow-wrap:anywhere]">
              {upload.reason === undefined ? (
                <>
                  {upload.name}: {upload.waiting ? "ждём связи с сервером" : `загружено ${formatShare(upload.share)}`}
                </>
              ) : (
                <span className="text-danger-text">
                  {upload.name}: {upload.reason}
                </span>
              )}
            </p>
            {upload.reason === undefined && (
              <Progress value={upload.share * 100} label="Загрузка файла модели" className="max-w-xl" />
            )}
            <div>
              <Button size="sm" onClick={dropModelUpload}>
                {upload.reason === undefined ? "Остановить" : "Убрать"}
              </Button>
            </div>
          </div>
        )}
      </div>
    </SettingsGroup>
  );
}
