import { Activity, ScrollText } from "lucide-react";
import { paths } from "#web/paths.ts";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";

const ROWS: LinkRow[] = [
  { to: paths.platformHealth, icon: Activity, name: "Состояние", about: "Как работает сервер" },
  { to: paths.platformAudit, icon: ScrollText, name: "Журнал платформы", about: "Действия во всех организациях" },
];

export const PlatformLinks = () => (
  <nav aria-label="Ещё о платформе" className="mt-8">
    <LinkRows rows={ROWS} />
  </nav>
);
