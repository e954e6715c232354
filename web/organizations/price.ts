import type { SubscriptionPlan } from "#contract/organizations.ts";
import { formatRoubles } from "#web/i18n/format.ts";

/** «4 999 ₽ в месяц», «Бесплатно» */
export function priceOf({ price, billingPeriod }: Pick<SubscriptionPlan, "price" | "billingPeriod">): string {
  if (price === 0) return "Бесплатно";
  return `${formatRoubles(price)} ${billingPeriod === "year" ? "в\u00a0год" : "в\u00a0месяц"}`;
}
