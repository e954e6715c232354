import { useId } from "react";
import { Link } from "wouter";
import { CRM_NAMES, type CrmSystem, crmApi } from "#contract/integrations/crm.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly, useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";

/** CRM systems; the user can sign in to those with `signsIn` on this page. */
const SYSTEMS: readonly { id: string; name: string; signsIn?: CrmSystem }[] = [
  { id: "amocrm", name: CRM_NAMES.amocrm, signsIn: "amocrm" },
  { id: "bitrix24", name: CRM_NAMES.bitrix24, signsIn: "bitrix24" },
  { id: "salesforce", name: "Salesforce" },
  { id: "hubspot", name: "HubSpot" },
  { id: "pipedrive", name: "Pipedrive" },
  { id: "postgresql", name: "PostgreSQL" },
];

interface AvailableSystemsProps {
  /** Starts a sign-in on this page. undefined when it is not available; links then lead to another page. */
  onSignIn: ((system: CrmSystem) => void) | undefined;
}

/** The six systems of the specification: two with a sign-in, and four that the owner connects by webhooks. */
export function AvailableSystems({ onSignIn }: AvailableSystemsProps) {
  const id = useId();
  return (
    <PaperSection
      id={id}
      title={<span lang="en">Available Integrations</span>}
      description="Выберите свою: в amoCRM и Битрикс24 достаточно войти"
    >
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 xl:grid-cols-3">
        {SYSTEMS.map(({ id: system, name, signsIn }) => (
          <li key={system} className="flex items-center gap-3 rounded-lg border bg-surface p-4">
            <PlatformTile platform={system} muted={signsIn === undefined} />
            <div className="min-w-0 flex-1">
              <h3 id={`${id}-${system}`} className="text-base">
                {name}
              </h3>
              <p className="text-muted text-sm">{signsIn ? "Вход в\u00a0аккаунт" : "Через вебхуки"}</p>
            </div>
            <Connect describedBy={`${id}-${system}`} signsIn={signsIn} onSignIn={onSignIn} />
          </li>
        ))}
      </ul>
      <Webhooks />
    </PaperSection>
  );
}

/** Leads the four other systems to the only twin's webhooks, or to the list of twins. */
function Webhooks() {
  const twins = useTwins().data ?? [];
  const only = twins.length === 1 ? `${paths.twinAccess(twins[0]!.id)}?tab=webhooks` : paths.twins;
  return (
    <p className="mt-3 max-w-prose text-muted text-sm">
      Через вебхуки двойник сообщает о&nbsp;сообщениях на&nbsp;ваш адрес, а&nbsp;в&nbsp;систему их заносит ваша
      программа. Адрес задают в&nbsp;
      <Link href={only} className="underline">
        доступе двойника
      </Link>
      .
    </p>
  );
}

interface ConnectProps extends AvailableSystemsProps {
  describedBy: string;
  signsIn: CrmSystem | undefined;
}

function Connect({ describedBy, signsIn, onSignIn }: ConnectProps) {
  const readOnly = useReadOnly();
  const mayNotSignIn = useWhyNot(crmApi.signIn);
  return (
    <Button asChild size="sm" whyNot={readOnly ?? (signsIn ? mayNotSignIn : null)} aria-describedby={describedBy}>
      <Link
        href={paths.addIntegration}
        onClick={(event) => {
          if (signsIn === undefined || onSignIn === undefined) return;
          event.preventDefault();
          onSignIn(signsIn);
        }}
      >
        Подключить
      </Link>
    </Button>
  );
}
