/** Plans and their prices. They are separate from organizations.ts, because the landing page needs nothing else of it. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const BillingPeriod = z.enum(["month", "year"]);
export const SubscriptionPlan = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Roubles per billing period. */
  price: z.number(),
  billingPeriod: BillingPeriod,
  isActive: z.boolean(),
  features: z.array(z.string()),
});
export type SubscriptionPlan = z.infer<typeof SubscriptionPlan>;

export const PublicPlan = z.pick(SubscriptionPlan, {
  id: true,
  name: true,
  description: true,
  price: true,
  billingPeriod: true,
  features: true,
});
export type PublicPlan = z.infer<typeof PublicPlan>;

export const plansApi = {
  published: endpoint("GET /api/public-plans", {
    access: "public",
    summary: "Тарифы, как их видит любой посетитель",
    output: z.array(PublicPlan),
  }),
};
