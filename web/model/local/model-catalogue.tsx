import { Download } from "lucide-react";
import type { CatalogueEntry, LocalModels, QualityFigure } from "#contract/models/local-models.ts";
import { formatDate } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { useInstall } from "#web/parts/local-models/queries.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { HubHelp } from "./hub-help.tsx";
import { hubSourceText, KIND_TITLES, KINDS, MODEL_FIT_LABELS, speedOf, VERDICT_ORDER } from "./words.ts";

/** Models that can be downloaded, by purpose. For those that this machine cannot run, the reason is shown. */
export function ModelCatalogue({ models: { catalogue, installed, hub } }: { models: LocalModels }) {
  const here = new Set(installed.map(({ catalogueId }) => catalogueId));
  const install = useInstall();
  const left = catalogue.filter(({ id }) => !here.has(id));
  return (
    <PaperSection
      id="model-catalogue"
      title="Каталог"
      description={`Скачивается ${hubSourceText(hub)}. Скачивание идёт и после закрытия страницы`}
    >
      {left.length === 0 && <p className="text-md">Все модели каталога уже на сервере.</p>}
      {KINDS.map((kind) => {
        const shown = left
          .filter((model) => model.kind === kind)
          .sort((one, other) => VERDICT_ORDER.indexOf(one.verdict) - VERDICT_ORDER.indexOf(other.verdict));
        if (shown.length === 0) return null;
        return (
          <section key={kind} aria-labelledby={`catalogue-${kind}`} className="border-t">
            <h3 id={`catalogue-${kind}`} className="pt-4 font-medium text-md text-muted">
              {KIND_TITLES[kind]}
            </h3>
            <ul className="divide-y">
              {shown.map((model) => (
                <Entry
                  key={model.id}
                  model={model}
                  busy={install.isPending && install.variables === model.id}
                  onInstall={() => install.mutate(model.id)}
                />
              ))}
            </ul>
          </section>
        );
      })}
      <div className="border-t pt-4">
        <HubHelp hub={hub} />
      </div>
    </PaperSection>
  );
}

function Entry({ model, busy, onInstall }: { model: CatalogueEntry; busy: boolean; onInstall: () => void }) {
  const { label, tone, why } = MODEL_FIT_LABELS[model.verdict];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium text-md">
          {model.name}
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="mt-1 text-md">{model.about}</p>
        <p className="mt-1 text-muted text-sm">
          Файл около {formatSize(model.bytes)}, в работе около {formatSize(model.memoryBytes)} памяти
        </p>
        {model.kind === "chat" && <p className="mt-1 text-muted text-sm">{speedOf(model.id)}</p>}
        <details className="mt-1 text-muted text-sm">
          <summary className="w-fit rounded-sm">Для специалистов</summary>
          <p className="mt-1">
            Лицензия {model.licence} ·{" "}
            <a href={model.source} target="_blank" rel="noreferrer" className="underline">
              карточка модели
            </a>
          </p>
          <Figures figures={model.figures} />
        </details>
      </div>
      <Button
        size="sm"
        variant={model.verdict === "recommended" && model.kind === "chat" ? "primary" : "outline"}
        busy={busy}
        whyNot={why}
        onClick={onInstall}
        aria-label={`Скачать ${model.name}`}
      >
        {!busy && <Download aria-hidden className="icon" />}
        Скачать
      </Button>
    </li>
  );
}

function Figures({ figures }: { figures: readonly QualityFigure[] }) {
  if (figures.length === 0) return <p className="mt-1">Цифр качества на русском мы не нашли.</p>;
  return (
    <ul className="mt-1">
      {figures.map(({ benchmark, value, source, date }) => (
        <li key={benchmark}>
          {benchmark}: <b className="font-medium">{value}</b> ·{" "}
          {source === null ? (
            `наш замер ${formatDate(date)}`
          ) : (
            <a href={source} target="_blank" rel="noreferrer" className="underline">
              {new URL(source).hostname}, {formatDate(date)}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
