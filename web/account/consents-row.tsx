import type { AccountSecurity } from "#contract/organizations/account.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { LegalLinks } from "#web/parts/legal/legal-links.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";

export function ConsentsRow({ consents }: Pick<AccountSecurity, "consents">) {
  return (
    <SettingRow
      id="consents"
      title="Согласия"
      about={consents.length === 0 ? "Тексты, по которым работает сервис" : "Тексты, которые вы приняли"}
    >
      <div className="flex flex-col gap-3 text-md">
        {consents.length > 0 && (
          <ul className="flex flex-col gap-1">
            {consents.map(({ version, acceptedAt }) => (
              <li key={version}>
                Редакция от {version.split("-").toReversed().join(".")}, приняты {formatMoment(acceptedAt)}
              </li>
            ))}
          </ul>
        )}
        <LegalLinks />
      </div>
    </SettingRow>
  );
}
