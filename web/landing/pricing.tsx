import { clsx } from "clsx";
import { Check } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Link } from "wouter";
import type { PricingPlan } from "#web/display-values.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "./section.tsx";

interface PricingProps {
  plans: readonly PricingPlan[];
  headingRef?: Ref<HTMLHeadingElement>;
  /** The button of the plan that is agreed on with the team. */
  contact: ReactNode;
}

export function Pricing({ plans, headingRef, contact }: PricingProps) {
  return (
    <Section id="pricing" title="Тарифы" raised {...(headingRef ? { headingRef } : {})}>
      <ul className="mt-6 grid grid-cols-1 gap-4 lg:grid-cols-3">
        {plans.map((plan) => (
          <li
            key={plan.id}
            className={clsx(
              "flex min-w-0 flex-col rounded-lg border bg-bg p-5 md:p-6",
              plan.popular && "border-primary!",
            )}
          >
            <div className="flex min-h-7 items-center justify-between gap-2">
              <h3 lang="en" className="text-lg">
                {plan.name}
              </h3>
              {plan.popular && (
                <span className="rounded-full bg-primary-soft px-2 py-0.5 font-medium text-primary-text text-sm">
                  Популярный
                </span>
              )}
            </div>
            <p className="text-md text-muted">{plan.about}</p>
            <p className="mt-4 flex flex-wrap items-baseline gap-x-2">
              <strong className="font-semibold text-2xl tracking-head">{plan.price}</strong>
              {plan.period && <span className="text-md text-muted">{plan.period}</span>}
            </p>
            <ul className="mt-5 mb-6 flex flex-col gap-2.5">
              {plan.features.map((feature) => (
                <li key={feature} className="flex gap-2.5 text-md">
                  <Check aria-hidden className="icon mt-0.5 text-primary-text" />
                  {feature}
                </li>
              ))}
            </ul>
            <div className="mt-auto grid">
              {plan.action === "contact" ? (
                contact
              ) : (
                <Button asChild>
                  <Link href={paths.register} aria-label={`Начать бесплатно: ${plan.name}`}>
                    Начать бесплатно
                  </Link>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
