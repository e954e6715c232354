import { TrendingDown } from "lucide-react";
import { useId } from "react";
import { Link } from "wouter";
import type { ConfidenceDrop } from "#contract/report.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { platformName } from "#web/ui/platform-icon.tsx";
import { dayInHeading, percentText } from "./figures.ts";

export function DropNotice({ drop }: { drop: ConfidenceDrop }) {
  const id = useId();
  const { date, accuracy, usual, twin, unanswered } = drop;
  return (
    <section aria-labelledby={id} className="flex gap-3">
      <TrendingDown aria-hidden className="icon mt-1 shrink-0 text-warning-text" />
      <div className="min-w-0">
        <h2 id={id} className="text-lg">
          {dayInHeading(date)}: точность {percentText(accuracy)} вместо обычных {percentText(usual)}
        </h2>
        <p className="mt-1 text-md text-muted">
          Сильнее всего её снизил двойник{" "}
          <Link href={paths.twinSettings(twin.id)} className="text-fg underline">
            {twin.name}
          </Link>
          : {percentText(twin.accuracy)} в&nbsp;среднем, {plural(twin.answers, ["ответ", "ответа", "ответов"])}.
        </p>
        {unanswered && <Unanswered unanswered={unanswered} />}
      </div>
    </section>
  );
}

function Unanswered({ unanswered }: { unanswered: NonNullable<ConfidenceDrop["unanswered"]> }) {
  const { questions, platform, ofPlatform, twinId, talks } = unanswered;
  const where = platform === "test" ? "Ваш тестовый чат" : platformName(platform);
  return (
    <>
      <p className="mt-1 text-md text-muted">
        Без ответа в этот день: {plural(questions, ["вопрос", "вопроса", "вопросов"])}.{" "}
        {ofPlatform < questions ? `Больше всего: ${where}, ${ofPlatform}.` : `Всё это: ${where}.`}
      </p>
      <ul aria-label="Диалоги с вопросами без ответа" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-md">
        {talks.map(({ id, name }) => (
          <li key={id}>
            <Link href={paths.conversation(id)} className="font-medium text-primary-text underline">
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Link href={paths.twinGaps(twinId)} className="font-medium text-primary-text underline">
            Все вопросы без ответа
          </Link>
        </li>
      </ul>
    </>
  );
}
