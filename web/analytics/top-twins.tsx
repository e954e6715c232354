import { Link } from "wouter";
import type { Analytics } from "#contract/report.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { percentText } from "./figures.ts";

interface TopTwinsProps {
  twins: Analytics["topPerformingTwins"] | undefined;
  /** Whether the twins are samples, which cannot be opened. */
  isSample: boolean;
}

type TopTwin = Analytics["topPerformingTwins"][number];

const byRank = (a: TopTwin, b: TopTwin) => b.interactions - a.interactions || (b.accuracy ?? 0) - (a.accuracy ?? 0);

export function TopTwins({ twins, isSample }: TopTwinsProps) {
  return (
    <PaperSection id="analytics-twins" title="Кто отвечал чаще">
      {twins === undefined ? (
        <div aria-hidden className="space-y-4">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-10 w-full" />
          ))}
        </div>
      ) : twins.length === 0 ? (
        <EmptyState open title="За этот период никто не отвечал" />
      ) : (
        <ol className="divide-y border-t">
          {twins.toSorted(byRank).map(({ id, name, interactions, accuracy }) => (
            <li key={id} className="py-3">
              {isSample ? (
                <p className="font-medium text-md [overflow-wrap:anywhere]">{name}</p>
              ) : (
                <Link
                  href={paths.twinSettings(id)}
                  className="block rounded-sm font-medium text-md underline-offset-2 [overflow-wrap:anywhere] hover:underline"
                >
                  {name}
                </Link>
              )}
              <p className="text-muted text-sm tabular-nums">
                {plural(interactions, ["взаимодействие", "взаимодействия", "взаимодействий"])}
                {accuracy !== null && `, точность ${percentText(accuracy)}`}
              </p>
            </li>
          ))}
        </ol>
      )}
    </PaperSection>
  );
}
