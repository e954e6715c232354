import { useMutation, useQuery } from "@tanstack/react-query";
import { EXAM_TOKENS } from "#contract/models/remote-model.ts";
import { type SharedExam, sharedExamsApi } from "#contract/models/shared-exams.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ExamAnswers } from "../exam-answers.tsx";
import { ExamState } from "../exam-state.tsx";

const POLL_MS = 3000;

/** Exams of the models of this server; nothing while there is no model. */
export default function SharedExams() {
  const query = useQuery({
    ...queryOf(sharedExamsApi.list),
    refetchInterval: ({ state }) => (state.data?.some(({ examining }) => examining) ? POLL_MS : false),
  });
  const { data, error, refetch } = query;
  if (data === undefined)
    return error ? (
      <ErrorCard title="Не удалось загрузить экзамены моделей" error={error} onRetry={() => void refetch()} />
    ) : null;
  if (data.length === 0) return null;
  return (
    <SettingsGroup
      id="shared-exams"
      title="Экзамен моделей"
      description="30 вопросов о вымышленном ателье, как их пишут покупатели: по ответам решается, что доверить модели. Медленной модели нужны часы, экзамен идёт в фоне."
    >
      <ul className="flex max-w-measure flex-col divide-y">
        {data.map((model) => (
          <Exam key={model.id} model={model} />
        ))}
      </ul>
    </SettingsGroup>
  );
}

function Exam({ model: { id, name, isRemote, exam, examining, examFailure } }: { model: SharedExam }) {
  const params = { id } as { id: "settings" };
  const examine = useMutation({ mutationFn: () => call(sharedExamsApi.examine, { params }), onSuccess: refreshed });
  const busy = examining !== null || examine.isPending;
  return (
    <li aria-label={name} className="flex flex-col gap-3 py-4 first:pt-0">
      <h3 className="text-base [overflow-wrap:anywhere]">
        {name}
        {id === "settings" && <span className="font-normal text-muted"> из настроек сервера</span>}
      </h3>
      <ExamState
        exam={exam}
        examining={examining}
        examFailure={examFailure}
        notTaken={
          isRemote
            ? "Не проверена: пока она отвечает сама."
            : "Не проверена: пока её ответ уходит, только если он совпал с найденным в документах."
        }
      />
      {exam !== null && !busy && <ExamAnswers query={queryOf(sharedExamsApi.answers, { params })} />}
      <FormError error={examine.error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          whyNot={busy ? "Экзамен уже идёт: дождитесь его конца" : null}
          onClick={() => examine.mutate()}
        >
          {examFailure !== null ? "Продолжить экзамен" : exam === null ? "Провести экзамен" : "Провести ещё раз"}
        </Button>
        <span className="text-muted text-sm">
          {isRemote
            ? `Уйдёт около ${formatNumber(EXAM_TOKENS.input + EXAM_TOKENS.output)} токенов`
            : "Работает этот сервер: экзамен ничего не стоит"}
        </span>
      </div>
    </li>
  );
}
