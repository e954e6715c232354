import type { StyleSample } from "#contract/knowledge/style-samples.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useRemoveSample, useSetSampleOpen, useWriteSample } from "./queries.ts";

interface SampleListProps {
  twinId: string;
  samples: readonly StyleSample[];
  readOnly: string | null;
}

/** Everything that strangers' prompts hold of the owner's manner, and what he has closed. */
export function SampleList({ twinId, samples, readOnly }: SampleListProps) {
  const open = samples.filter(({ state }) => state === "open").length;
  return (
    <PaperSection
      id="style-samples"
      title="По чему двойник пишет незнакомым"
      description={
        samples.length === 0
          ? "Здесь будут все образцы, которые видит модель."
          : `${plural(open, ["образец", "образца", "образцов"])}. Из переписки взяты ваши ответы из одних обиходных слов, которые вы писали хотя бы троим.`
      }
    >
      {samples.length === 0 ? (
        <EmptyState
          open
          title="Образцов пока нет"
          description="Ответьте на сообщения выше или импортируйте переписку: обиходные ответы найдутся при обучении."
        />
      ) : (
        <ul className="divide-y border-t">
          {samples.map((sample) => (
            <SampleRow key={sample.id} twinId={twinId} sample={sample} readOnly={readOnly} />
          ))}
        </ul>
      )}
    </PaperSection>
  );
}

function SampleRow({ twinId, sample, readOnly }: { twinId: string; sample: StyleSample; readOnly: string | null }) {
  const [set, remove, write] = [useSetSampleOpen(twinId), useRemoveSample(twinId), useWriteSample(twinId)];
  const { id: sampleId, origin, incoming, text, state } = sample;
  const isOpen = state === "open";

  function change(open: boolean) {
    set.mutateAsync({ sampleId, open }).then(
      () => {
        const back = { label: "Отменить", onPress: () => set.mutate({ sampleId, open: !open }) };
        actionToast(open ? "Образец снова показан" : "Образец скрыт", [back]);
      },
      () => undefined,
    );
  }
  function take() {
    remove.mutateAsync(sampleId).then(
      () => {
        const back = {
          label: "Отменить",
          onPress: () => write.mutate({ incoming: incoming ?? "", text }),
        };
        actionToast("Образец удалён", [back]);
      },
      () => undefined,
    );
  }

  return (
    <li className="flex items-start justify-between gap-x-6 py-4">
      <div className="min-w-0 max-w-measure text-md [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 text-sm text-subtle">
          {!isOpen && <Badge>Скрыт</Badge>}
          {origin === "written" ? `На «${incoming}»` : origin === "opened" ? "Открыли вы" : "Из переписки"}
        </p>
        <p className="mt-1 whitespace-pre-line">{text}</p>
      </div>
      {origin === "written" ? (
        <Button size="sm" variant="ghost" aria-label={`Удалить: ${text}`} whyNot={readOnly} onClick={take}>
          Удалить
        </Button>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${isOpen ? "Скрыть" : "Показывать"}: ${text}`}
          whyNot={readOnly}
          onClick={() => change(!isOpen)}
        >
          {isOpen ? "Скрыть" : "Показывать"}
        </Button>
      )}
    </li>
  );
}
