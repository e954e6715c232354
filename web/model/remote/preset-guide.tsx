import { PRESETS, type RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { isRefused } from "./form-values.ts";

interface GuideProps {
  preset: RemotePresetId;
  mayBePrivate: boolean;
}

export function PresetGuide({ preset, mayBePrivate }: GuideProps) {
  const { howToGetKey, pricesAt } = PRESETS[preset];
  return (
    <div className="flex max-w-measure flex-col gap-1.5 text-md text-muted">
      <p>{howToGetKey}</p>
      {isRefused(preset, mayBePrivate) && (
        <p>
          Адрес этой машины или частной сети может задать только тот, кто управляет установкой. Вам подойдёт внешний
          адрес по https.
        </p>
      )}
      {pricesAt !== null && (
        <p>
          Сегодняшние цены:{" "}
          <a href={pricesAt} target="_blank" rel="noreferrer" className="underline [overflow-wrap:anywhere]">
            {new URL(pricesAt).host}
          </a>
        </p>
      )}
    </div>
  );
}

/** Requirements of the provider's server on this installation; renders nothing without any. */
export function Certificate({ preset, mayBePrivate }: GuideProps) {
  const { rootCertificate, name } = PRESETS[preset];
  if (rootCertificate === null) return null;
  return (
    <p className="text-muted text-sm">
      Соединению с {name} нужен корневой сертификат «{rootCertificate}».{" "}
      {mayBePrivate ? (
        <>
          Укажите его файл в настройке <code className="font-mono text-sm">MODEL_CA_FILE</code>.
        </>
      ) : (
        "Если проверка скажет, что его нет, попросите добавить его того, кто управляет установкой."
      )}{" "}
      Проверка сертификатов не отключается.
    </p>
  );
}
