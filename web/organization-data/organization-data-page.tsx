import { ConfirmIdentity } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { OrganizationExport } from "#web/parts/records/data-export.tsx";
import DeleteAccount from "#web/parts/records/delete-account.tsx";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { DeleteOrganization } from "./delete-organization.tsx";
import { ModelRuleRow } from "./model-rule-row.tsx";

export default function OrganizationDataPage() {
  const { user } = useSession();
  return (
    <Page title="Данные организации" description="Где они обрабатываются, как их выгрузить и удалить">
      <BackLink href={paths.orgAdmin}>Организация</BackLink>
      <div>
        <SettingsGroup id="processing" title="Обработка" description="Кто читает переписку и документы">
          <ModelRuleRow />
        </SettingsGroup>
        {user?.role === "org_admin" && (
          <SettingsGroup id="export" title="Выгрузка" description="Всё, что есть у организации, одним файлом">
            <ConfirmIdentity>
              <OrganizationExport />
            </ConfirmIdentity>
          </SettingsGroup>
        )}
        <SettingsGroup id="deletion" title="Удаление" description="Вернуть удалённое нельзя">
          <DeleteOrganization />
          <DeleteAccount />
        </SettingsGroup>
      </div>
    </Page>
  );
}
