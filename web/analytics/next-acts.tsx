import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import { analyticsApi } from "#contract/analytics.ts";
import { queryOf } from "#web/api/query.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

/** What would raise the figures: the answers and gaps that wait for whoever reads them. Nothing where nothing waits. */
export function NextActs() {
  const mayAct = useReadOnly() === null;
  const { data } = useQuery({ ...queryOf(analyticsApi.waiting), enabled: mayAct });
  if (!data || data.answers.total + data.gaps.total === 0) return null;
  return (
    <PaperSection id="analytics-next" title="Что поднимет уверенность">
      <ul className="divide-y border-t">
        {data.answers.total > 0 && (
          <Act
            to={paths.approvals}
            name={`Разобрать ${plural(data.answers.total, ["ответ", "ответа", "ответов"])}`}
            about="По вашим правкам двойник учится"
          />
        )}
        {data.gaps.first.map(({ twinId, twinName, questions }) => (
          <Act
            key={twinId}
            to={paths.twinGaps(twinId)}
            name={`Ответить на ${plural(questions, ["вопрос", "вопроса", "вопросов"])} без ответа`}
            about={twinName}
          />
        ))}
      </ul>
    </PaperSection>
  );
}

function Act({ to, name, about }: { to: string; name: string; about: string }) {
  return (
    <li className="relative flex items-center gap-3 py-3 hover:text-primary-text">
      <div className="min-w-0 flex-1">
        <Link href={to} className="font-medium text-md after:absolute after:inset-0">
          {name}
        </Link>
        <p className="text-muted text-sm">{about}</p>
      </div>
      <ChevronRight aria-hidden className="icon text-subtle" />
    </li>
  );
}
