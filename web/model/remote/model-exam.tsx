import { BACKGROUND_SHARE } from "#contract/models/model-budget.ts";
import { EXAM_TOKENS, type RemoteModel, remoteModelApi } from "#contract/models/remote-model.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { formatMoney } from "#web/i18n/money.ts";
import { useOwnOrganization } from "#web/session/own-organization.ts";
import { Button } from "#web/ui/button.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { ExamAnswers } from "../exam-answers.tsx";
import { ExamState } from "../exam-state.tsx";
import { useRemoteModelActs } from "./queries.ts";

/** The exam of the stored model; a member who is no administrator sees its result alone. */
export function ModelExam({ remote, mayTake }: { remote: RemoteModel; mayTake: boolean }) {
  const { exam, examining, examFailure, settings } = remote;
  const { examine } = useRemoteModelActs();
  const address = useOwnOrganization();
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
      <ExamState exam={exam} examining={examining} examFailure={examFailure} notTaken={NOT_TAKEN} />
      {exam !== null && examining === null && <ExamAnswers query={queryOf(remoteModelApi.examAnswers, address)} />}
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
const NOT_TAKEN = "Модель не проверена: экзамена ещё не было, и пока она отвечает сама.";

/** «около 125 000 токенов, примерно 12,30 ₽» */
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
