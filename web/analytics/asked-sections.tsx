import { Link } from "wouter";
import type { Asked } from "#contract/report.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

export function UnansweredSection({ asked: { unanswered } }: { asked: Asked }) {
  if (unanswered.first.length === 0) return null;
  return (
    <PaperSection
      id="analytics-unanswered"
      title="Чего двойники не знали"
      description="Ответьте один раз, и ответ получат все, кто спросит"
    >
      <ul className="divide-y border-t">
        {unanswered.first.map(({ gapId, twinId, twinName, question, people, answered, known }) => (
          <li key={gapId} className="relative flex items-center gap-3 py-3 hover:text-primary-text">
            <div className="min-w-0 flex-1">
              <Link
                href={`${paths.twinGaps(twinId)}${answered ? "?tab=answered" : ""}`}
                className="font-medium text-md [overflow-wrap:anywhere] after:absolute after:inset-0"
              >
                {question}
              </Link>
              <p className="text-muted text-sm">
                {twinName}
                {people > 1 && `, спросили ${plural(people, ["человек", "человека", "человек"])}`}
              </p>
            </div>
            {answered ? (
              <Badge tone={known ? "success" : "neutral"}>{known ? "Теперь знает" : "Отвечено"}</Badge>
            ) : (
              <span className="font-medium text-primary-text text-sm">Ответить</span>
            )}
          </li>
        ))}
      </ul>
    </PaperSection>
  );
}

export function DocumentsSection({ asked: { documents } }: { asked: Asked }) {
  if (documents.length === 0) return null;
  return (
    <PaperSection id="analytics-asked" title="О чём спрашивали" description="По документам, из которых взят ответ">
      <ul className="divide-y border-t text-md">
        {documents.map(({ id, name, answers }) => (
          <li key={id} className="relative flex items-baseline gap-3 py-3 hover:text-primary-text">
            <Link
              href={`${paths.knowledge}?tab=documents&document=${encodeURIComponent(id)}`}
              className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
            >
              {name}
            </Link>
            <span className="shrink-0 text-muted tabular-nums">{plural(answers, ["ответ", "ответа", "ответов"])}</span>
          </li>
        ))}
      </ul>
    </PaperSection>
  );
}
