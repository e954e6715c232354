import { useQuery } from "@tanstack/react-query";
import { Activity, Bell, Building2, ScrollText, UserRound } from "lucide-react";
import { useId } from "react";
import { healthApi } from "#contract/health.ts";
import { queryOf } from "#web/api/query.ts";
import { headline } from "#web/parts/health/health-states.tsx";
import { MODEL_ROW, ORGANIZATION_ROWS } from "#web/parts/settings-rows.ts";
import { paths } from "#web/paths.ts";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";

const OWN: LinkRow[] = [
  { to: paths.account, icon: UserRound, name: "Мой аккаунт", about: "Имя, уведомления, вход и ваши данные" },
  { to: `${paths.account}#notifications`, icon: Bell, name: "Уведомления", about: "О чём сообщать и куда" },
  { to: paths.orgAdmin, icon: Building2, name: "Организация", about: "Участники, план, счета и место" },
  MODEL_ROW,
  ...ORGANIZATION_ROWS,
];

/** «Настройки» leads here everybody: first what is the person's own and the organisation's, whoever runs the platform. */
export function SettingsLinks() {
  const id = useId();
  return (
    <nav aria-labelledby={id} className="mb-6">
      <h2 id={id} className="mb-3 text-lg">
        Ваши настройки
      </h2>
      <LinkRows rows={OWN} />
    </nav>
  );
}

/** What only the platform's administrator finds under the heading «Платформа»: before all samples, how the server is now. */
export function PlatformLinks() {
  const { data } = useQuery(queryOf(healthApi.get));
  const rows: LinkRow[] = [
    {
      to: paths.platformHealth,
      icon: Activity,
      name: "Состояние",
      about: data ? headline(data) : "Как работает сервер",
    },
    { to: paths.platformAudit, icon: ScrollText, name: "Журнал платформы", about: "Действия во всех организациях" },
  ];
  return (
    <nav aria-label="Ещё о платформе" className="mb-4">
      <LinkRows rows={rows} />
    </nav>
  );
}
