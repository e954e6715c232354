import { defaultPlans, listedBy } from "#contract/plans/default-plans.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";

/** Shown when the server returns no plans; always marked with the badge «Пример». */
export const samplePlans: SubscriptionPlan[] = defaultPlans.map((plan) => ({
  id: plan.id,
  name: plan.name,
  description: plan.description,
  price: plan.price,
  billingPeriod: "month",
  isActive: plan.id !== "enterprise",
  features: listedBy(plan),
}));
