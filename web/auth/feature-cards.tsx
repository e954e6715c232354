import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { platformApi } from "#contract/organizations/auth.ts";
import { queryOf } from "#web/api/query.ts";

/** Quiet, under the name at a desk and below the sign-in on a phone: who comes here has decided. */
export function FeatureCards() {
  const { data: config } = useQuery(queryOf(platformApi.config));
  return (
    <ul className="relative mx-auto grid max-w-80 grid-cols-1 gap-5 text-center text-md max-lg:order-last">
      <Feature title="Безопасность">
        {/* Only what the card beside it offers. */}
        Вход {config?.telegramBot ? "через Telegram" : "по\u00a0email"}, ваши данные отделены от&nbsp;чужих
      </Feature>
      <Feature title="ИИ-двойники">Отвечают в&nbsp;вашем стиле, как личные помощники</Feature>
      <Feature title="Интеграции">Telegram, WhatsApp и&nbsp;email: там, где вам пишут</Feature>
    </ul>
  );
}

function Feature({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <h2 className="text-md">{title}</h2>
      <p className="max-lg:text-muted">{children}</p>
    </li>
  );
}
