import { CircleAlert, CircleCheck } from "lucide-react";
import { BACKGROUND_SHARE } from "#contract/models/model-budget.ts";
import {
  EXAM_TOKENS,
  type ModelAbility,
  type RemoteModel,
  type ModelExam as Result,
} from "#contract/models/remote-model.ts";
import { formatNumber, formatRecent } from "#web/i18n/format.ts";
import { formatMoney } from "#web/i18n/format-money.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { useRemoteModelActs } from "./queries.ts";

/** The exam of the stored model; a member who is no administrator sees its result alone. */
export function ModelExam({ remote, mayTake }: { remote: RemoteModel; mayTake: boolean }) {
  const { exam, examining, examFailure, settings } = remote;
  const { examine } = useRemoteModelActs();
  if (settings === null || (!mayTake && exam === null)) return null;
  return (
    <section aria-label="Экзамен модели" className="flex max-w-measure flex-col gap-3 border-t pt-5">
      <h3 className="text-base">Экзамен модели</h3>
      {mayTake && (
        <p className="text-md text-muted">
          Задаём модели 30 вопросов о вымышленном ателье, как их пишут покупатели, и по ответам решаем, что ей доверить.
          Уйдёт {costOf(remote)}.
        </p>
      )}
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
            {exam === null ? <p className="text-md">{NOT_TAKEN}</p> : <ExamResult exam={exam} />}
          </>
        )}
      </div>
      <FormError error={examine.error} />
      {mayTake && (
        <div>
          {/* A busy button would be disabled and lose the focus. */}
          <Button whyNot={examine.isPending ? UNDER_WAY : whyNot(remote)} onClick={() => examine.mutate()}>
            {exam === null ? "Провести экзамен" : "Провести ещё раз"}
          </Button>
        </div>
      )}
    </section>
  );
}

const UNDER_WAY = "Экзамен уже идёт: дождитесь его конца";
const NOT_TAKEN = "Экзамена ещё не было: пока модель отвечает сама.";

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

/** «около 105 000 токенов, примерно 12,30 ₽» */
function costOf({ settings }: RemoteModel): string {
  const { input, output } = EXAM_TOKENS;
  const tokens = `около ${formatNumber(input + output)} токенов`;
  if (settings === null || settings.inputPrice === null || settings.outputPrice === null) return tokens;
  const money = (input * settings.inputPrice + output * settings.outputPrice) / 1000;
  return money === 0 ? tokens : `${tokens}, примерно ${formatMoney(money, settings.currency)}`;
}

function whyNot({ settings, examining, held, today }: RemoteModel): string | null {
  const { tokens, tokenLimit, money, moneyLimit } = today;
  if (!settings?.enabled) return "Модель выключена: включите её и сохраните";
  if (examining !== null) return UNDER_WAY;
  if (held !== null) return "Модель не используется: действует правило «Только локальная модель»";
  const spent =
    tokens >= tokenLimit * BACKGROUND_SHARE ||
    (money !== null && moneyLimit !== null && money >= moneyLimit * BACKGROUND_SHARE);
  return spent ? "Половина дневного предела уже израсходована: проведите экзамен завтра" : null;
}
