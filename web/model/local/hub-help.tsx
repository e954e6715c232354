const SETTINGS = [
  [
    "MODEL_HUB_URL",
    "адрес зеркала: сайта с теми же файлами. Зеркало сообщает и контрольную сумму, выбирайте то, которому доверяете",
  ],
  ["HTTPS_PROXY", "прокси, например http://proxy.example:3128"],
] as const;

/** Tells the operator what to configure if the hub is slow or blocked. */
export function HubHelp({ hub }: { hub: string }) {
  return (
    <details className="text-md">
      <summary className="w-fit rounded-sm font-medium text-primary-text">
        Скачивается медленно или не скачивается?
      </summary>
      <p className="mt-3">
        Сейчас модели берутся с&nbsp;{hub}. Можно скачать файл модели на&nbsp;другом компьютере и&nbsp;загрузить его
        ниже, в&nbsp;«Свой файл», или задать в&nbsp;настройках сервера (файл{" "}
        <code className="font-mono text-sm">.env</code>) и&nbsp;перезапустить его:
      </p>
      <dl className="mt-3 flex flex-col gap-3 text-muted">
        {SETTINGS.map(([name, about]) => (
          <div key={name}>
            <dt className="font-mono text-fg text-sm [overflow-wrap:anywhere]">{name}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
