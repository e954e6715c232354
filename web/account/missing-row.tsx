import type { ReactNode } from "react";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";

/** In the place of a setting that has nothing to offer here: no button, only what it is and what is missing, in fewer words than the others. */
export function MissingRow({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return <SettingRow id={id} title={title} muted about={children} />;
}
