import { Bell, Building2, UserRound } from "lucide-react";
import { MODEL_ROW, ORGANIZATION_ROWS } from "#web/parts/settings-rows.ts";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

const OWN_ROWS: LinkRow[] = [
  { to: paths.account, icon: UserRound, name: "Мой аккаунт", about: "Имя, уведомления, вход и ваши данные" },
  { to: `${paths.account}#notifications`, icon: Bell, name: "Уведомления", about: "О чём сообщать и куда" },
];
const SHARED_ROWS: LinkRow[] = [
  { to: paths.orgAdmin, icon: Building2, name: "Организация", about: "Участники, план, счета и место" },
  MODEL_ROW,
  ...ORGANIZATION_ROWS,
];

/** Settings of the user and the organisation. «Настройки» in the menu is the platform's panel, as specified. */
export default function SettingsPage() {
  return (
    <Page title="Ваши настройки" description="Аккаунт и организация">
      <nav aria-label="Ваши настройки" className="flex flex-col gap-8">
        <PaperSection id="own-settings" title="Аккаунт">
          <LinkRows rows={OWN_ROWS} />
        </PaperSection>
        <PaperSection id="shared-settings" title="Организация">
          <LinkRows rows={SHARED_ROWS} />
        </PaperSection>
      </nav>
    </Page>
  );
}
