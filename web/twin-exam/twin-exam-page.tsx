import { BookOpen } from "lucide-react";
import { Link } from "wouter";
import type { TwinExam } from "#contract/twin-exam.ts";
import type { Twin } from "#contract/twins.ts";
import { useTwinExam } from "#web/parts/twin-exam/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ExamProgress } from "./exam-progress.tsx";
import { ExamResult } from "./exam-result.tsx";
import { ExamStart } from "./exam-start.tsx";
import { MarkAnswers } from "./mark-answers.tsx";

export default function TwinExamPage() {
  return (
    <TwinSubpage title="Экзамен двойника" ownerOnly>
      {(twin) => <Content twin={twin} />}
    </TwinSubpage>
  );
}

function Content({ twin }: { twin: Twin }) {
  const query = useTwinExam(twin.id);
  const readOnly = useReadOnly(twin);
  const { data } = query;
  if (data === undefined)
    return query.error ? (
      <ErrorCard title="Не удалось загрузить экзамен" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем экзамен...</LoadingStatus>
    );
  return (
    <div className="flex flex-col gap-8">
      {readOnly !== null && <ReadOnlyNote reason={readOnly} />}
      <Now twin={twin} exam={data} readOnly={readOnly} />
      {data.last !== null && <ExamResult twinId={twin.id} exam={data} last={data.last} readOnly={readOnly} />}
    </div>
  );
}

function Now({ twin, exam, readOnly }: { twin: Twin; exam: TwinExam; readOnly: string | null }) {
  const { current, last, material } = exam;
  if (current?.state === "marking") return <MarkAnswers twinId={twin.id} current={current} readOnly={readOnly} />;
  if (current !== null) return <ExamProgress twinId={twin.id} current={current} readOnly={readOnly} />;
  if (last !== null) return null;
  if (material.documents + material.letters === 0) return <NothingToAsk />;
  return <ExamStart twinId={twin.id} exam={exam} readOnly={readOnly} />;
}

function NothingToAsk() {
  return (
    <Card>
      <EmptyState
        icon={BookOpen}
        title="Спрашивать пока не о чем"
        description="Вопросы экзамена берутся из документов двойника и из вашей переписки. Добавьте хотя бы один документ."
        action={
          <Button asChild variant="primary">
            <Link href={paths.trainAi}>Добавить документы</Link>
          </Button>
        }
      />
    </Card>
  );
}
