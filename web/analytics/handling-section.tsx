import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { analyticsApi } from "#contract/analytics.ts";
import type { Handling } from "#contract/report.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

/** Shows how many messages the twins handled alone, and the rest of the total. Renders nothing when no messages were sent. */
export function HandlingSection({ handling }: { handling: Handling | undefined }) {
  const mayAct = useReadOnly() === null;
  const { data: waiting } = useQuery({ ...queryOf(analyticsApi.waiting), enabled: mayAct });
  const drafts = waiting?.answers.total ?? 0;
  if (!handling) return null;
  const { alone, approved, changed, unknown, byOwner } = handling;
  const answers = alone + approved + unknown;
  if (answers + byOwner === 0) return null;
  return (
    <PaperSection
      id="analytics-handling"
      title={`Без вас: ${formatNumber(alone)} из ${formatNumber(answers)}`}
      description="Столько ответов ушло собеседникам без вашего участия"
    >
      <dl className="divide-y border-t text-md">
        <Row name="С вашим одобрением" count={approved} about={changed > 0 && `из них изменены: ${changed}`} />
        <Row name="Двойник не знал ответа" count={unknown} />
      </dl>
      {byOwner > 0 && (
        <p className="mt-3 text-muted text-sm">
          Кроме них вы сами написали {plural(byOwner, ["сообщение", "сообщения", "сообщений"])}.
        </p>
      )}
      {drafts > 0 && (
        <Link href={paths.approvals} className="mt-3 inline-block font-medium text-md text-primary-text underline">
          Разобрать {plural(drafts, ["ответ", "ответа", "ответов"])}
        </Link>
      )}
    </PaperSection>
  );
}

function Row({ name, count, about }: { name: string; count: number; about?: string | false }) {
  return (
    <div className="flex gap-3 py-2">
      <dt className="min-w-0 flex-1">
        {name}
        {about && <span className="text-muted">, {about}</span>}
      </dt>
      <dd className="font-medium tabular-nums">{formatNumber(count)}</dd>
    </div>
  );
}
