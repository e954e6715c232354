import { Bell, Building2, UserRound } from "lucide-react";
import { MODEL_ROW, ORGANIZATION_ROWS } from "#web/parts/settings-rows.ts";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";

const ROWS: LinkRow[] = [
  { to: paths.account, icon: UserRound, name: "Мой аккаунт", about: "Имя, уведомления, вход и ваши данные" },
  { to: `${paths.account}#notifications`, icon: Bell, name: "Уведомления", about: "О чём сообщать и куда" },
  { to: paths.orgAdmin, icon: Building2, name: "Организация", about: "Участники, план, счета и место" },
  MODEL_ROW,
  ...ORGANIZATION_ROWS,
];

/** Settings of the user and the organisation. «Настройки» in the menu is the platform's panel, as specified. */
export default function SettingsPage() {
  return (
    <Page title="Ваши настройки" description="Аккаунт и организация">
      <nav aria-label="Ваши настройки">
        <LinkRows rows={ROWS} />
      </nav>
    </Page>
  );
}
