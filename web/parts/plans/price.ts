import { isPriceFrom } from "#contract/plans/default-plans.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { planPrice } from "#web/display-values.ts";

/** Returns «₽4,999 в месяц», «от ₽25,000 в месяц» or «Бесплатно». */
export function priceOf({
  id,
  price,
  billingPeriod,
}: Pick<SubscriptionPlan, "id" | "price" | "billingPeriod">): string {
  const shown = planPrice(price, isPriceFrom(id));
  return price === 0 ? shown : `${shown} ${billingPeriod === "year" ? "в\u00a0год" : "в\u00a0месяц"}`;
}
