import { CircleCheck, EyeOff, MessageCircleQuestion } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Gap, GapDecision, GapState, Gaps } from "#contract/gaps.ts";
import type { Twin } from "#contract/twins.ts";
import { useDecideGap, useGaps, useSplitGap } from "#web/parts/gaps/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ClosedGap } from "./closed-gap.tsx";
import { OpenGap } from "./open-gap.tsx";
import { OpenGaps } from "./open-gaps.tsx";
import { ReadinessLine } from "./readiness-line.tsx";
import { RecentlyAnswered } from "./recently-answered.tsx";

/** Questions that the twin could not answer: the owner answers each once, and all askers are notified. */
export default function GapsPage() {
  return (
    <TwinSubpage title="Пробелы" ownerOnly>
      {(twin) => <Content twin={twin} />}
    </TwinSubpage>
  );
}

const TABS: readonly { state: GapState; label: string }[] = [
  { state: "open", label: "Без ответа" },
  { state: "answered", label: "Отвеченные" },
  { state: "ignored", label: "Не нужны" },
];

function Content({ twin }: { twin: Twin }) {
  const [search, setSearch] = useSearchParams();
  const state = TABS.find((tab) => tab.state === search.get("tab"))?.state ?? "open";
  const query = useGaps(twin.id, state);
  const { data } = query;
  if (!data) {
    return query.error ? (
      <ErrorCard title="Не удалось загрузить пробелы" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем пробелы...</LoadingStatus>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <ReadinessLine readiness={data.readiness} />
      <Tabs value={state} onValueChange={(tab) => setSearch(tab === "open" ? {} : { tab }, { replace: true })}>
        <TabsList aria-label="Какие вопросы показать">
          {TABS.map(({ state: tab, label }) => (
            <TabsTrigger key={tab} value={tab}>
              {label} <span className="ms-1 text-muted tabular-nums">{data.counts[tab]}</span>
            </TabsTrigger>
          ))}
        </TabsList>
        {TABS.map(({ state: tab }) => (
          <TabsContent key={tab} value={tab}>
            {tab === state && <GapList twin={twin} state={state} data={data} />}
          </TabsContent>
        ))}
      </Tabs>
    </div>
  );
}

interface GapListProps {
  twin: Twin;
  state: GapState;
  data: Gaps;
}

const SEARCHED_FROM = 10;

function holds({ question, questions }: Gap, sought: string): boolean {
  const words = sought.trim().toLowerCase();
  return (
    words === "" || [question, ...questions.map(({ text }) => text)].some((text) => text.toLowerCase().includes(words))
  );
}

interface Done {
  gapId: string;
  said: string;
}

function GapList({ twin, state, data }: GapListProps) {
  const [done, setDone] = useState<Done | null>(null);
  const [sought, setSought] = useState("");
  const decide = useDecideGap(twin.id);
  const split = useSplitGap(twin.id);
  const busy = useReadOnly(twin) !== null || decide.isPending || split.isPending;
  // While another tab loads, the previous tab's rows are still here.
  const all = data.gaps.filter((gap) => gap.state === state);
  const shown = all.filter((gap) => holds(gap, sought));
  const lately = state === "open" && data.counts.answered > 0 && (
    <RecentlyAnswered twinId={twin.id} to="?tab=answered" />
  );
  /** A first-time visitor does not know what a gap is. */
  const explained = state === "open" && done === null && all.length > 0;

  function settle(gap: Gap, decision: GapDecision, said: string) {
    decide.mutate(
      { gapId: gap.id, ...decision },
      { onSuccess: () => setDone(decision.decision === "reopen" ? null : { gapId: gap.id, said }) },
    );
  }

  function undo() {
    if (done === null) return;
    decide.mutate({ gapId: done.gapId, decision: "reopen" }, { onSuccess: () => setDone(null) });
  }

  return (
    <Card aria-label={TABS.find((tab) => tab.state === state)!.label}>
      <div
        className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 md:px-5 ${done || explained ? "border-b py-2" : ""}`}
      >
        <p role="status" className="min-w-0 flex-1 text-muted text-sm">
          {done
            ? done.said
            : explained && "Двойник не нашёл на них ответа. Ответьте один раз: он передаст ответ и будет помнить его."}
        </p>
        {done && (
          <Button variant="ghost" size="sm" disabled={busy} onClick={undo}>
            Отменить
          </Button>
        )}
      </div>
      {all.length > SEARCHED_FROM && (
        <div className="border-b px-4 py-3 md:px-5">
          <Input
            type="search"
            aria-label="Найти вопрос"
            placeholder="Найти вопрос"
            value={sought}
            onChange={(event) => setSought(event.target.value)}
          />
        </div>
      )}
      {all.length === 0 ? (
        <>
          <NoGaps state={state} working={data.working} />
          {lately}
        </>
      ) : shown.length === 0 ? (
        <p className="px-4 py-6 text-center text-md text-muted">Таких вопросов нет</p>
      ) : state === "open" ? (
        <OpenGaps gaps={shown} below={lately}>
          {(gap) => (
            <OpenGap
              gap={gap}
              busy={busy}
              answering={
                decide.isPending && decide.variables.gapId === gap.id && decide.variables.decision === "answer"
              }
              onAnswer={(scope, question, text, also) =>
                settle(
                  gap,
                  { decision: "answer", question, text, scope, also },
                  scope === "everybody"
                    ? `Двойник запомнил для всех: «${text}»`
                    : `Двойник запомнил для тех, кто спросил: «${text}»`,
                )
              }
              onIgnore={(as) => settle(gap, { decision: "ignore", as }, `Больше не спрашиваем: «${gap.question}»`)}
              onSplit={(questionId) => split.mutate({ gapId: gap.id, questionId })}
            />
          )}
        </OpenGaps>
      ) : (
        <ul className="divide-y">
          {shown.map((gap) => (
            <ClosedGap
              key={gap.id}
              gap={gap}
              working={data.working}
              busy={busy}
              onReopen={() => settle(gap, { decision: "reopen" }, "")}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NoGaps({ state, working }: { state: GapState; working: boolean }) {
  if (state === "open" && working)
    return <LoadingStatus className="min-h-60">Разбираем новые вопросы...</LoadingStatus>;
  if (state === "open")
    return (
      <EmptyState
        icon={CircleCheck}
        title="Вопросов без ответа нет"
        description="Когда двойник не будет знать ответа, вопрос появится здесь. Ответьте один раз: он скажет это тем, кто спросил, или всем, если вы так решите."
      />
    );
  return state === "answered" ? (
    <EmptyState
      icon={MessageCircleQuestion}
      title="Отвеченных вопросов пока нет"
      description="Здесь будет видно, кому двойник передал ваш ответ и отвечает ли он теперь сам."
    />
  ) : (
    <EmptyState
      icon={EyeOff}
      title="Ничего не отложено"
      description="Здесь останутся вопросы, на которые двойнику отвечать не нужно. Любой можно вернуть."
    />
  );
}
