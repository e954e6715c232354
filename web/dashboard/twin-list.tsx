import { clsx } from "clsx";
import { Link } from "wouter";
import type { DashboardStats } from "#contract/analytics.ts";
import type { Twin } from "#contract/twins.ts";
import { dashboardDefaults } from "#web/display-values.ts";
import { formatShare } from "#web/i18n/format.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { plural } from "#web/i18n/plural.ts";
import { useTraining } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { useExample } from "#web/ui/figures/examples.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

/** Label of the specified default for a fidelity that has not been measured. */
export const ACCURACY_EXAMPLE = "точность";

/** The first three twins; «active» is a ready twin that is switched on. */
export function TwinList({ twins, weeks }: { twins: Twin[] | undefined; weeks: DashboardStats["weeks"] }) {
  return (
    <PaperSection
      id="dashboard-twins"
      title="Мои двойники"
      action={
        <Button asChild variant="ghost" size="sm" className="-me-3">
          <Link href={paths.twins}>Все двойники</Link>
        </Button>
      }
    >
      {twins === undefined ? (
        <ListSkeleton />
      ) : twins.length === 0 ? (
        <EmptyState
          open
          title="Нет цифровых двойников"
          description="Здесь встанут ваши двойники: сколько каждый ответил за неделю и насколько он похож на вас."
          action={
            <EditorButton asChild>
              <Link href={paths.createTwin}>Создать первого двойника</Link>
            </EditorButton>
          }
        />
      ) : (
        <ul className="divide-y border-t">
          {twins.slice(0, dashboardDefaults.twinsShown).map((twin) => (
            <TwinRow key={twin.id} twin={twin} week={weeks?.find(({ twinId }) => twinId === twin.id)?.answers} />
          ))}
        </ul>
      )}
    </PaperSection>
  );
}

function TwinRow({ twin, week }: { twin: Twin; week: number[] | undefined }) {
  const { t } = useLanguage();
  // The end of a training activates the twin, so the list and the figures are refetched.
  useTraining(twin.id, twin.status === "training");
  const active = twin.status === "ready" && twin.isActive;
  useExample(twin.styleAccuracy === null ? ACCURACY_EXAMPLE : undefined);
  return (
    <li className="flex min-w-0 items-center gap-x-3 gap-y-1.5 py-3.5 max-sm:flex-wrap">
      <Avatar name={twin.name} echo />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-4rem)]">
        <Link
          href={paths.twinSettings(twin.id)}
          className="font-medium text-md [overflow-wrap:anywhere] hover:underline"
        >
          {twin.name}
        </Link>
        <p className="line-clamp-5 text-md text-muted">{twin.description}</p>
      </div>
      <Badge tone={active ? "success" : "neutral"} className="max-sm:ms-13 sm:order-1">
        {t(active ? "status.active" : "status.inactive")}
      </Badge>
      <span className="text-md text-muted tabular-nums sm:order-1 sm:w-30 sm:text-end">
        Точность {formatShare(twin.styleAccuracy ?? dashboardDefaults.accuracy)}
      </span>
      {week && <Week answers={week} />}
    </li>
  );
}

/** Number of the twin's answers in seven days, beside a bar for each day. */
function Week({ answers }: { answers: number[] }) {
  const highest = Math.max(...answers);
  const all = answers.reduce((sum, count) => sum + count, 0);
  return (
    <div
      className="flex items-center gap-3 max-sm:ms-13 max-sm:w-full"
      title={`Ответов по дням: ${answers.join(", ")}`}
    >
      <p className="text-muted text-sm tabular-nums sm:text-end">
        <b className="font-medium text-fg sm:block">{plural(all, ["ответ", "ответа", "ответов"])}</b> за 7&nbsp;дней
      </p>
      <div aria-hidden className="flex h-6 w-16 shrink-0 items-end gap-1 border-b">
        {answers.map((count, day) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the place of a day is what it is.
            key={day}
            className={clsx("flex-1 rounded-t-sm bg-primary", day < answers.length - 1 && "opacity-50")}
            style={{ height: `${(count / highest) * 100}%` }}
          />
        ))}
      </div>
    </div>
  );
}

function ListSkeleton() {
  return (
    <ul className="divide-y border-t" aria-hidden>
      {[0, 1, 2].map((row) => (
        <li key={row} className="flex items-center gap-3 py-3.5">
          <Skeleton className="size-10 rounded-full!" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-64 max-w-full" />
          </div>
        </li>
      ))}
    </ul>
  );
}
