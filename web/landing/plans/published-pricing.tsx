import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { plansApi } from "#contract/plans/plans.ts";
import { queryOf } from "#web/api/query.ts";
import { pricingPlans } from "#web/display-values.ts";
import { Pricing } from "../pricing.tsx";
import { publishedPlans } from "./published-plans.ts";

/** The prices that an account would pay: the server's, and until these are loaded those of a new installation. */
export function PublishedPricing(props: Omit<ComponentProps<typeof Pricing>, "plans">) {
  const { data } = useQuery(queryOf(plansApi.published));
  return <Pricing plans={data?.length ? publishedPlans(data) : pricingPlans} {...props} />;
}
