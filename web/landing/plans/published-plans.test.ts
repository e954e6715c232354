import { expect, test } from "vitest";
import { defaultPlans, listedBy, withoutLimits } from "#contract/plans/default-plans.ts";
import { pricingPlans } from "#web/display-values.ts";
import { priceOf } from "#web/parts/plans/price.ts";
import { publishedPlans } from "./published-plans.ts";

const plans = defaultPlans.map((plan) => ({ ...plan, billingPeriod: "month" as const, features: listedBy(plan) }));

test("the server's plans are shown like the specification shows those of a new installation", () => {
  expect(publishedPlans(plans)).toEqual(pricingPlans);
  expect(pricingPlans.map(({ price }) => price)).toEqual(["Бесплатно", "₽4,999", "от ₽25,000"]);
});

test("a changed price is the same on the landing page and in the account", () => {
  const [, business] = plans;
  const changed = { ...business!, price: 5490, billingPeriod: "year" as const };
  expect(publishedPlans([changed])).toMatchObject([{ price: "₽5,490", period: "в год", popular: true }]);
  expect(priceOf(changed)).toBe("₽5,490 в\u00a0год");
  expect(priceOf(plans[2]!)).toBe("от ₽25,000 в\u00a0месяц");
});

test("an account does not show limits that are not enforced", () => {
  for (const plan of defaultPlans) expect(withoutLimits(listedBy(plan))).toEqual(plan.features);
});
