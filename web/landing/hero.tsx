import type { ReactNode } from "react";
import { Link } from "wouter";
import { marketingClaims } from "#web/display-values.ts";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { Button } from "#web/ui/button.tsx";

export const LANDING_TITLE = "ИИ, который отвечает вашими словами";

const claims = [
  { value: marketingClaims.heroClients, name: "клиентов" },
  { value: marketingClaims.rating, name: "рейтинг" },
  { value: `${marketingClaims.deploymentMinutes}\u00a0минут`, name: "до\u00a0запуска" },
];

interface HeroProps {
  createPath: string;
  pricingShown: boolean;
  onShowPricing: () => void;
  children: ReactNode;
}

export function Hero({ createPath, pricingShown, onShowPricing, children }: HeroProps) {
  return (
    <div className="mx-auto grid w-full max-w-[calc(var(--content)+2*var(--page-x))] grid-cols-1 items-center gap-x-14 gap-y-8 px-page pt-6 pb-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)] lg:pt-8">
      <div>
        <ScreenHeading title={LANDING_TITLE} className="text-hero" />
        <p className="mt-5 max-w-[34rem] text-lg text-muted">
          Создайте цифрового двойника: он учится на&nbsp;ваших документах и&nbsp;переписке и&nbsp;отвечает клиентам
          в&nbsp;Telegram, WhatsApp и&nbsp;почте так, как ответили&nbsp;бы&nbsp;вы.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button asChild variant="primary" className="max-sm:flex-1 max-sm:px-3!">
            <Link href={createPath}>Создать двойника</Link>
          </Button>
          <Button
            aria-expanded={pricingShown}
            onClick={onShowPricing}
            className="max-sm:flex-1 max-sm:px-3! noscript:hidden"
          >
            Посмотреть тарифы
          </Button>
        </div>
        <dl className="mt-10 flex flex-wrap gap-x-6 gap-y-4 sm:gap-x-10">
          {claims.map(({ value, name }) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-md text-muted">{name}</dt>
              <dd className="font-semibold text-xl tracking-head">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {children}
    </div>
  );
}
