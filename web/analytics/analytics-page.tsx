import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "wouter";
import { ANALYTICS_PERIODS, type Analytics, type AnalyticsPeriod } from "#contract/report.ts";
import { downloadCsv } from "#web/files/csv.ts";
import { formatDuration } from "#web/i18n/duration.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { Page } from "#web/shell/page.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { DocumentsSection, UnansweredSection } from "./asked-sections.tsx";
import { DailyList } from "./daily-list.tsx";
import { DropNotice } from "./drop-notice.tsx";
import { reportCsv } from "./export-report.ts";
import { changeText, percentText, periodText, satisfactionText, testsText, UNKNOWN } from "./figures.ts";
import { HandlingSection } from "./handling-section.tsx";
import { useAskedTopics, useReport } from "./queries.ts";
import { sampleReport } from "./samples.ts";
import { TopTwins } from "./top-twins.tsx";

const ActsSection = lazy(() => import("./acts-section.tsx"));

/** Period and twin are kept in the URL: `?days=30&twin=…`. */
export default function AnalyticsPage() {
  const [search, setSearch] = useSearchParams();
  const period = ANALYTICS_PERIODS.find((days) => days === search.get("days")) ?? "7";
  const twinId = search.get("twin") ?? "";
  const query = useReport({ days: period, twinId });
  const [sample] = useState(() => sampleReport(Date.now()));
  const { data: report, isSample } = shownOrSample(query, sample, ({ totalInteractions }) => totalInteractions === 0);
  const { data: asked } = useAskedTopics({ days: period, twinId }, report !== undefined && !isSample);
  const narrow = (change: { days?: AnalyticsPeriod; twin?: string }) => {
    const { days, twin } = { days: period, twin: twinId, ...change };
    setSearch({ ...(days === "7" ? {} : { days }), ...(twin ? { twin } : {}) }, { replace: true });
  };

  function exportReport() {
    if (!report) return;
    downloadCsv(`analitika-${period}-${new Date().toLocaleDateString("sv-SE")}.csv`, reportCsv(report));
    toast({ title: "Экспорт готов", ...(isSample ? { description: "В файле примерные числа" } : {}) });
  }

  return (
    <Page title="Аналитика" description="Подробная аналитика и отчеты">
      <div className="flex flex-col gap-8">
        <div className="flex min-h-control flex-wrap items-start justify-between gap-x-10 gap-y-3">
          {report && !isSample && <Summary report={report} ofOne={twinId !== ""} />}
          {query.isFetching && <LoadingStatus>Загружаем аналитику...</LoadingStatus>}
          {isSample && !query.isFetching && (
            <SampleNotice failed={query.isError} onRetry={() => void query.refetch()} />
          )}
          <div className="flex flex-wrap items-center gap-3">
            <TwinChoice chosen={twinId} onChoose={(twin) => narrow({ twin })} />
            <Periods chosen={period} onChoose={(days) => narrow({ days })} />
            <Button disabled={!report} onClick={exportReport}>
              <Download aria-hidden className="icon" />
              Экспорт отчета
            </Button>
          </div>
        </div>
        {report?.drop && !isSample && <DropNotice drop={report.drop} />}
        <Figures report={report} isSample={isSample} />
        <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex flex-col gap-8">
            <DailyList
              days={report?.dailyStats}
              lowest={isSample ? undefined : report?.drop?.date}
              pathOf={isSample ? undefined : (day) => paths.conversationsOf(day, twinId)}
            />
            {asked && !isSample && <UnansweredSection asked={asked} />}
          </div>
          <div className="flex flex-col gap-8">
            {!isSample && <HandlingSection handling={report?.handling} />}
            {report && !isSample && (
              <Suspense>
                <ActsSection days={period} twinId={twinId} />
              </Suspense>
            )}
            {asked && !isSample && <DocumentsSection asked={asked} />}
            <TopTwins twins={report?.topPerformingTwins} isSample={isSample} />
          </div>
        </div>
      </div>
    </Page>
  );
}

function Periods({ chosen, onChoose }: { chosen: AnalyticsPeriod; onChoose: (days: AnalyticsPeriod) => void }) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Период</legend>
      {ANALYTICS_PERIODS.map((days) => (
        <Button
          key={days}
          variant={days === chosen ? "outline" : "ghost"}
          aria-pressed={days === chosen}
          onClick={() => onChoose(days)}
        >
          {days} дней
        </Button>
      ))}
    </fieldset>
  );
}

/** Choice between several twins. A twin that was deleted since is left by choosing another or all. */
function TwinChoice({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { data: twins = [] } = useTwins();
  if (twins.length < 2 && !chosen) return null;
  return (
    <Select
      aria-label="Двойник"
      placeholder="Все двойники"
      className="sm:max-w-80"
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {twins.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function Summary({
  report: { days, totalInteractions, previous, ofTests },
  ofOne,
}: {
  report: Analytics;
  ofOne: boolean;
}) {
  const before = previous?.totalInteractions;
  return (
    <div className="min-w-0 basis-full">
      <h2 className="text-xl">{periodText(days, totalInteractions, before, ofOne)}</h2>
      {!before && (
        <p className="mt-1 text-md text-muted">
          За предыдущие {plural(days, ["день", "дня", "дней"])} ответов не&nbsp;было
        </p>
      )}
      {ofTests && (
        <p className="mt-1 text-md text-muted">
          Пока это ваши тестовые чаты. Когда напишет первый собеседник, уверенность и&nbsp;время будут считаться
          по&nbsp;ответам собеседникам.
        </p>
      )}
    </div>
  );
}

/** The specification shows samples in place of failed figures, and no error. */
function SampleNotice({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <SampleBadge />
      <p className="text-md text-muted">{failed ? "Так выглядит отчёт" : "За этот период ответов не было"}</p>
      {failed && (
        <Button size="sm" onClick={onRetry}>
          Обновить
        </Button>
      )}
    </div>
  );
}

function Figures({ report, isSample }: { report: Analytics | undefined; isSample: boolean }) {
  const loading = report === undefined;
  const before = report?.previous;
  /** Text below a figure: its meaning, and the previous period's value with the change, when there is one. */
  const note = (text: string, was?: string | number | false | null, change?: string) => {
    if (isSample) return {};
    return {
      note: (
        <>
          {text}
          {was ? (
            <span className="block text-muted">
              <span>Было {was}</span>
              {change && <span className="font-medium text-fg">, {change}</span>}
            </span>
          ) : null}
        </>
      ),
    };
  };
  const ratings = report?.ratings ?? 0;
  return (
    <div className="grid grid-cols-2 gap-3 max-[359px]:grid-cols-1 md:gap-4 lg:grid-cols-4">
      <StatCard
        label="Всего взаимодействий"
        value={report && formatNumber(report.totalInteractions)}
        loading={loading}
        {...note(
          testsText(report?.totalInteractions ?? 0, report?.tests ?? 0),
          before && before.totalInteractions > 0 && formatNumber(before.totalInteractions),
          changeText(report?.totalInteractions, before?.totalInteractions, "percent"),
        )}
      />
      <StatCard
        label="Точность ответов"
        value={report && percentText(report.responseAccuracy)}
        loading={loading}
        {...note(
          report?.tests && !report.ofTests
            ? "По оценке самих двойников, без тестовых чатов"
            : "По оценке самих двойников",
          before?.responseAccuracy && percentText(before.responseAccuracy),
          changeText(report?.responseAccuracy, before?.responseAccuracy, "points"),
        )}
      />
      <StatCard
        label="Удовлетворенность"
        value={
          report && (
            <>
              {satisfactionText(report.userSatisfaction)}{" "}
              <span className="font-normal text-base text-muted">/ 5.0</span>
            </>
          )
        }
        loading={loading}
        {...note(
          ratings > 0 ? plural(ratings, ["оценка", "оценки", "оценок"]) : "Оценок пока нет",
          before?.userSatisfaction && satisfactionText(before.userSatisfaction),
          changeText(report?.userSatisfaction, before?.userSatisfaction, "rating"),
        )}
      />
      <StatCard
        label="Время ответа"
        value={report && (report.avgResponseTime === null ? UNKNOWN : formatDuration(report.avgResponseTime))}
        loading={loading}
        {...note(
          "От вопроса до целого ответа",
          before?.avgResponseTime && formatDuration(before.avgResponseTime),
          changeText(report?.avgResponseTime, before?.avgResponseTime, "percent"),
        )}
      />
    </div>
  );
}
