import { useQuery } from "@tanstack/react-query";
import { Activity, ScrollText } from "lucide-react";
import { healthApi } from "#contract/health.ts";
import { queryOf } from "#web/api/query.ts";
import { headline } from "#web/parts/health/health-states.tsx";
import { paths } from "#web/paths.ts";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";

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
    <nav aria-label="Ещё о платформе" className="mt-8">
      <LinkRows rows={rows} />
    </nav>
  );
}
