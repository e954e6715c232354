import { Cpu, ScrollText, ShieldCheck } from "lucide-react";
import { paths } from "#web/paths.ts";
import type { LinkRow } from "#web/ui/layout/link-rows.tsx";

export const MODEL_ROW: LinkRow = {
  to: paths.model,
  icon: Cpu,
  name: "Модель",
  about: "Кто пишет ответы двойников",
};

export const ORGANIZATION_ROWS: readonly LinkRow[] = [
  {
    to: paths.organizationData,
    icon: ShieldCheck,
    name: "Данные организации",
    about: "Где обрабатываются, как выгрузить и удалить",
  },
  {
    to: paths.organizationAudit,
    icon: ScrollText,
    name: "Журнал действий",
    about: "Кто входил, что менял и что удалял",
  },
];
