import { isPriceFrom } from "#contract/plans/default-plans.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { formatRoubles } from "#web/i18n/money.ts";

/** Returns «4 999 ₽ в месяц», «от 25 000 ₽ в месяц» or «Бесплатно». */
export function priceOf({
  id,
  price,
  billingPeriod,
}: Pick<SubscriptionPlan, "id" | "price" | "billingPeriod">): string {
  if (price === 0) return "Бесплатно";
  return `${isPriceFrom(id) ? "от\u00a0" : ""}${formatRoubles(price)} ${billingPeriod === "year" ? "в\u00a0год" : "в\u00a0месяц"}`;
}
