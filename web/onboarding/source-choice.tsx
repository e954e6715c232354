import { clsx } from "clsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";
import { type Source, sources } from "./use-onboarding-address.ts";

const brings: Record<Source, string> = {
  telegram: "Выгрузка из Telegram Desktop",
  whatsapp: "Архив или файл «Экспорт чата»",
  email: "Файл mbox или письма eml",
};

interface SourceChoiceProps {
  value: Source;
  onChange: (source: Source) => void;
}

export function SourceChoice({ value, onChange }: SourceChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-md">Источник данных</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {sources.map((source) => (
          <label
            key={source}
            className={clsx(
              "flex cursor-pointer items-start gap-3 rounded-lg border p-4 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
              source === value ? "border-primary bg-primary-soft" : "border-control hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name="source"
              value={source}
              checked={source === value}
              onChange={() => onChange(source)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary outline-none"
            />
            <span className="min-w-0">
              <span className="flex items-center gap-2 font-medium text-md">
                <PlatformIcon platform={source} />
                {platformName(source)}
              </span>
              <span className="mt-0.5 block text-muted text-sm">{brings[source]}</span>
            </span>
          </label>
        ))}
      </div>
      <p className="mt-2 text-sm text-subtle">
        И ещё шесть форматов: Slack, Discord, VK, Messenger, Instagram и таблица CSV.
      </p>
    </fieldset>
  );
}
