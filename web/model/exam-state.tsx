import { CircleAlert, CircleCheck } from "lucide-react";
import type { ModelAbility, ModelExam as Result } from "#contract/models/remote-model.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Progress } from "#web/ui/figures/progress.tsx";

interface ExamStateProps {
  exam: Result | null;
  examining: { asked: number; of: number } | null;
  examFailure: string | null;
  /** What holds for a model without an exam. */
  notTaken: string;
}

/** How far a model's exam is, what interrupted it, or what its marks allow. */
export function ExamState({ exam, examining, examFailure, notTaken }: ExamStateProps) {
  return (
    <div role="status" className="flex flex-col gap-3">
      {examining !== null ? (
        <div>
          <p className="text-md tabular-nums">
            Идёт экзамен: {examining.asked} из {examining.of}. Страницу можно закрыть.
          </p>
          <Progress className="mt-2" label="Экзамен модели" value={(examining.asked / examining.of) * 100} />
        </div>
      ) : (
        <>
          {examFailure !== null && (
            <p className="flex items-start gap-2 text-danger-text text-md">
              <CircleAlert aria-hidden className="icon mt-0.5 shrink-0" />
              <span>{FAILURES[examFailure] ?? FAILED}</span>
            </p>
          )}
          {exam === null ? <p className="text-md">{notTaken}</p> : <ExamResult exam={exam} />}
        </>
      )}
    </div>
  );
}

const ABILITIES: Record<ModelAbility, { can: string; meaning: string }> = {
  answers: { can: "отвечает сама", meaning: "Ей можно доверить ответы: каждый проверяется по документам." },
  words: {
    can: "только формулирует найденное",
    meaning: "Модель пересказывает то, что нашёл двойник, и её ответы ждут вашей проверки.",
  },
  "small-talk": {
    can: "только беседа",
    meaning: "Модель здоровается и благодарит, а на вопросы двойник отвечает сам, словами документов.",
  },
};

function ExamResult({ exam: { right, asked, wrong, ability, at, tokens } }: { exam: Result }) {
  const { can, meaning } = ABILITIES[ability];
  const passed = ability === "answers";
  const Icon = passed ? CircleCheck : CircleAlert;
  return (
    <div className="flex flex-col gap-1 text-md">
      <p className={`flex items-start gap-2 ${passed ? "text-success-text" : "text-warning-text"}`}>
        <Icon aria-hidden className="icon mt-0.5 shrink-0" />
        <span className="font-medium">{`${right} из ${asked} верно, ${wrong} неверно: ${can}`}</span>
      </p>
      <p className="text-muted">{meaning}</p>
      <p className="text-sm text-subtle">
        Экзамен {formatRecent(at)}, {plural(tokens, ["токен", "токена", "токенов"])}
      </p>
    </div>
  );
}

const FAILED = "Экзамен оборвался: модель не ответила. Нажмите «Проверить», чтобы узнать почему.";
const FAILURES: Record<string, string> = {
  model_budget_spent:
    "Экзамен остановился: израсходована половина дневного предела, остальное оставлено для ответов собеседникам. Проведите его завтра или поднимите предел.",
  model_unpaid: "Экзамен остановился: у поставщика модели закончились оплаченные токены.",
  model_not_allowed: "Экзамен остановился: действует правило «Только локальная модель».",
  model_busy: "Экзамен остановился: сервер модели ограничил частоту запросов. Попробуйте позже.",
  internal: "Экзамен оборвался на нашей стороне. Проведите его ещё раз.",
};
