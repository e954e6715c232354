import type { RemoteModel } from "#contract/models/remote-model.ts";
import type { Currency } from "#contract/models/remote-model-presets.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { formatMoney } from "#web/i18n/money.ts";
import { Progress } from "#web/ui/figures/progress.tsx";

export function SpentToday({ today, currency }: { today: RemoteModel["today"]; currency: Currency }) {
  const { tokens, tokenLimit, money, moneyLimit } = today;
  const spent = tokens >= tokenLimit || (money !== null && moneyLimit !== null && money >= moneyLimit);
  return (
    <section aria-label="Расход за сегодня" className="flex max-w-measure flex-col gap-4">
      <Line
        label="Токены сегодня"
        value={`${formatNumber(tokens)} из ${formatNumber(tokenLimit)}`}
        share={tokens / tokenLimit}
      />
      {money !== null && (
        <Line
          label="Деньги сегодня"
          value={
            moneyLimit === null
              ? `${formatMoney(money, currency)}, предел не задан`
              : `${formatMoney(money, currency)} из ${formatMoney(moneyLimit, currency)}`
          }
          share={moneyLimit === null ? null : money / moneyLimit}
        />
      )}
      <p className="text-sm text-subtle">
        {spent
          ? "Предел на сегодня исчерпан: сообщения собеседников ждут вашего ответа, а тестовый чат и ключи API просят подождать до полуночи по Москве."
          : "Счёт начинается заново в полночь по Москве. Когда предел исчерпан, сообщения собеседников ждут вашего ответа."}
        {money === null && " Чтобы видеть расход в деньгах, укажите цены."}
      </p>
    </section>
  );
}

function Line({ label, value, share }: { label: string; value: string; share: number | null }) {
  return (
    <div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-md">
        <span className="font-medium">{label}</span>
        <span className="text-muted tabular-nums">{value}</span>
      </p>
      {share !== null && <Progress className="mt-2" label={label} value={share * 100} />}
    </div>
  );
}
