import { PRESETS, type RemotePresetId } from "#contract/models/remote-model-presets.ts";

/** How the key of a provider is obtained, and what else it needs. */
export function PresetGuide({ preset, mayBePrivate }: { preset: RemotePresetId; mayBePrivate: boolean }) {
  const { howToGetKey, rootCertificate, pricesAt, id, name } = PRESETS[preset];
  const ownServer = id === "ollama" || id === "vllm";
  return (
    <div className="flex max-w-measure flex-col gap-1.5 text-md text-muted">
      <p>{howToGetKey}</p>
      {rootCertificate !== null && (
        <p>
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
      )}
      {ownServer && !mayBePrivate && (
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
