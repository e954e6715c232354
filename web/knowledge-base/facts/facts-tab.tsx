import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import {
  type ConfirmedFact,
  type ConfirmedFacts,
  confirmedFactsApi,
  MAX_CONFIRMED_FACTS,
} from "#contract/knowledge/confirmed-facts.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ExampleRow } from "../example-row.tsx";
import { TwinSelect } from "../twin-select.tsx";
import type { ChangeAddress, KnowledgeAddress } from "../use-knowledge-address.ts";
import { useUses } from "../uses.tsx";
import { FactRow } from "./fact-row.tsx";
import { WaitingFacts } from "./waiting-facts.tsx";

const PAGE_SIZE = 50;
const FACTS = ["факт", "факта", "фактов"] as const;

interface TabProps {
  address: KnowledgeAddress;
  onAddress: ChangeAddress;
}

export default function FactsTab({ address, onAddress }: TabProps) {
  const { data, error, refetch } = useQuery(queryOf(confirmedFactsApi.list));
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить факты" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <LoadingStatus className="min-h-60">Загружаем факты...</LoadingStatus>;
  const twins = twinsOf(data);
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4 empty:hidden">
        {(twins.length > 1 || address.twin !== "all") && (
          <div className="flex">
            <TwinSelect twins={twins} value={address.twin} onChange={(chosen) => onAddress({ twin: chosen })} />
          </div>
        )}
        <WaitingFacts waiting={data.waiting} twin={address.twin} />
      </div>
      {data.facts.length > 0 ? (
        <Facts facts={data.facts} manyTwins={twins.length > 1} address={address} onAddress={onAddress} />
      ) : (
        <NoFacts waits={data.waiting.length > 0} />
      )}
    </div>
  );
}

function twinsOf({ facts, waiting }: ConfirmedFacts) {
  const names = new Map([...waiting, ...facts].map((one) => [one.digitalTwinId, one.digitalTwinName]));
  return [...names].map(([id, name]) => ({ id, name }));
}

interface FactsProps extends TabProps {
  facts: ConfirmedFact[];
  manyTwins: boolean;
}

function Facts({ facts, manyTwins, address, onAddress }: FactsProps) {
  const uses = useUses();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { fact: words, twin } = address;
  const wanted = words.trim().toLowerCase();
  const found = facts.filter(
    ({ digitalTwinId, question, text }) =>
      (twin === "all" || digitalTwinId === twin) &&
      (wanted === "" || `${question}\n${text}`.toLowerCase().includes(wanted)),
  );
  const filtered = wanted !== "" || twin !== "all";
  return (
    <section aria-labelledby="confirmed-facts">
      <h2 id="confirmed-facts" className="mb-3 text-lg">
        Подтверждённые <span className="font-normal text-muted tabular-nums">{formatNumber(facts.length)}</span>
      </h2>
      <search className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Input
          type="search"
          aria-label="Поиск по фактам"
          placeholder="Слова вопроса или ответа"
          className="sm:max-w-80"
          value={words}
          onChange={(event) => onAddress({ fact: event.target.value })}
        />
        <p role="status" className="text-sm text-subtle">
          {filtered && `Найдено: ${plural(found.length, FACTS)}`}
          {facts.length === MAX_CONFIRMED_FACTS && " Показаны последние, остальные лежат среди исправлений."}
        </p>
      </search>
      {found.length === 0 ? (
        <EmptyState
          open
          title="Ничего не найдено"
          action={<Button onClick={() => onAddress({ fact: "", twin: "all" })}>Сбросить фильтры</Button>}
        />
      ) : (
        <ul className="mt-4 divide-y border-y">
          {found.slice(0, limit).map((fact) => (
            <FactRow key={fact.id} fact={fact} withTwin={manyTwins && twin === "all"} uses={uses} />
          ))}
        </ul>
      )}
      {found.length > limit && (
        <div className="border-t p-2 text-center">
          <MoreButton left={found.length - limit} step={PAGE_SIZE} onShow={() => setLimit(limit + PAGE_SIZE)} />
        </div>
      )}
    </section>
  );
}

function NoFacts({ waits }: { waits: boolean }) {
  return (
    <section aria-label="Подтверждённые факты">
      <EmptyState
        open
        title="Подтверждённых фактов пока нет"
        description={
          waits
            ? "Проверьте факты из переписки: подтверждённые появятся здесь, и двойник будет отвечать ими всем."
            : "Цены, часы работы и условия из ваших ответов двойник предложит подтвердить после обучения на переписке."
        }
        action={
          !waits && (
            <EditorButton asChild>
              <Link href={`${paths.trainAi}?tab=dialogues`}>Загрузить переписку</Link>
            </EditorButton>
          )
        }
      />
      <ExampleRow title="До скольки вы работаете?" detail="Работаем с 10 до 20" use="7 ответов, последний вчера" />
    </section>
  );
}
