import { EXAM_TOKENS, type RemoteModel, TURN_CALLS } from "#contract/models/remote-model.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { formatMoney } from "#web/i18n/money.ts";

/** What one answer takes on this model: calls, tokens and, where prices are known, money. */
export function TurnCost({ exam, settings }: Pick<RemoteModel, "exam" | "settings">) {
  if (settings === null) return null;
  const byRecord = exam === null || exam.ability === "answers";
  return (
    <section aria-label="Что стоит ответ" className="max-w-measure text-md">
      <p>
        {byRecord
          ? `Один ответ: ${TURN_CALLS.usual} вызова модели, сам ответ и его проверка. Если проверка нашла ошибку или документов много, до ${TURN_CALLS.most}.`
          : exam.ability === "words"
            ? "Один ответ: 1 вызов модели, после ошибки 2."
            : "Модель спрашивают только о приветствиях и благодарностях: 1 вызов."}
      </p>
      <p className="text-muted">{sizeOf(exam, settings)}</p>
      <p className="mt-2 text-muted text-sm">
        Когда модель включают, двойники ещё раз спрашивают её о вопросах из «Пробелов»: до 20 на двойника, из половины
        дневного предела.
      </p>
    </section>
  );
}

/** Share of an exam's tokens that the model reads; the rest it writes. */
const READ = EXAM_TOKENS.input / (EXAM_TOKENS.input + EXAM_TOKENS.output);
/** Questions of an exam with a capable model, by which its tokens are known beforehand. */
const QUESTIONS = 30;

function sizeOf(
  exam: RemoteModel["exam"],
  { inputPrice, outputPrice, currency }: NonNullable<RemoteModel["settings"]>,
) {
  const tokens = Math.round(
    exam === null ? (EXAM_TOKENS.input + EXAM_TOKENS.output) / QUESTIONS : exam.tokens / exam.asked,
  );
  const money =
    inputPrice === null || outputPrice === null
      ? null
      : (tokens * (READ * inputPrice + (1 - READ) * outputPrice)) / 1000;
  const price = money === null || money === 0 ? "" : `, примерно ${formatMoney(money, currency)}`;
  return exam === null
    ? `Около ${formatNumber(tokens)} токенов${price} при двух страницах документов; чем их больше, тем дороже.`
    : `На экзамене в среднем ${formatNumber(tokens)} токенов${price} при двух страницах документов; чем их больше, тем дороже.`;
}
