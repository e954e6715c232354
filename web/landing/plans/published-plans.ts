import { isPriceFrom } from "#contract/plans/default-plans.ts";
import type { PublicPlan } from "#contract/plans/plans.ts";
import { type PricingPlan, planPrice, pricingPlans } from "#web/display-values.ts";

/** The server's plans with the looks that the specification gives each; disabled plans are left out. */
export function publishedPlans(plans: readonly PublicPlan[]): PricingPlan[] {
  return plans.map(({ id, name, description, price, billingPeriod, features }) => {
    const { period: _fixed, ...known } = pricingPlans.find((plan) => plan.id === id) ?? { action: "start" as const };
    return {
      ...known,
      id,
      name,
      about: description,
      price: planPrice(price, isPriceFrom(id)),
      ...(price > 0 ? { period: billingPeriod === "year" ? "в год" : "в месяц" } : {}),
      features,
    };
  });
}
