import type { ReactNode } from "react";
import { Badge } from "#web/ui/badge.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";

/** In the place of a setting that has nothing to offer here: no button, only what it is and what is missing. */
export function MissingRow({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return <SettingRow id={id} title={title} muted badge={<Badge>Недоступно</Badge>} about={children} />;
}

/** Of the account that everybody shares. */
export const SHARED_ACCOUNT = "Демонстрационный аккаунт общий для всех. В своём аккаунте это можно включить.";
