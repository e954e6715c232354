import { useId } from "react";
import { Link } from "wouter";
import { CRM_NAMES, type CrmSystem, crmApi } from "#contract/integrations/crm.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly, useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";

/** One signs in to these right here. */
const OWN: readonly CrmSystem[] = ["amocrm", "bitrix24"];

const OTHERS = [
  { id: "salesforce", name: "Salesforce" },
  { id: "hubspot", name: "HubSpot" },
  { id: "pipedrive", name: "Pipedrive" },
  { id: "postgresql", name: "PostgreSQL" },
] as const;

interface AvailableSystemsProps {
  onSignIn: (system: CrmSystem) => void;
}

/** The six systems of the specification: two that are signed in to, and apart from them those that the owner joins by webhooks. */
export function AvailableSystems({ onSignIn }: AvailableSystemsProps) {
  const id = useId();
  return (
    <PaperSection
      id={id}
      title={<span lang="en">Available Integrations</span>}
      description="Выберите свою: в amoCRM и Битрикс24 достаточно войти"
    >
      <ul className="grid grid-cols-1 gap-x-10 gap-y-3 lg:grid-cols-2">
        {OWN.map((system) => (
          <li key={system} className="flex items-center gap-4 rounded-lg border bg-surface p-4 md:p-5">
            <PlatformTile platform={system} />
            <div className="min-w-0 flex-1">
              <h3 id={`${id}-${system}`} className="text-base">
                {CRM_NAMES[system]}
              </h3>
              <p className="text-md text-muted">Вход в&nbsp;аккаунт</p>
            </div>
            <Connect describedBy={`${id}-${system}`} signsIn={system} onSignIn={onSignIn} />
          </li>
        ))}
      </ul>
      <ul className="mt-4 grid grid-cols-1 gap-x-10 lg:grid-cols-2">
        {OTHERS.map(({ id: system, name }) => (
          <li key={name} className="flex items-center gap-3 border-b py-2">
            <PlatformTile platform={system} muted />
            <div className="min-w-0 flex-1">
              <h3 id={`${id}-${system}`} className="truncate font-medium text-md text-muted">
                {name}
              </h3>
              <p className="text-muted text-sm">Через вебхуки</p>
            </div>
            <Connect describedBy={`${id}-${system}`} onSignIn={onSignIn} />
          </li>
        ))}
      </ul>
      <Webhooks />
    </PaperSection>
  );
}

/** The way of the four others, which leads to the only twin's webhooks, else to the twins. */
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
  signsIn?: CrmSystem;
}

/** The link that each system has; where one can sign in, it does so in place. */
function Connect({ describedBy, signsIn, onSignIn }: ConnectProps) {
  const readOnly = useReadOnly();
  const mayNotSignIn = useWhyNot(crmApi.signIn);
  return (
    <Button
      asChild
      size={signsIn ? "md" : "sm"}
      variant={signsIn ? "outline" : "ghost"}
      whyNot={readOnly ?? (signsIn ? mayNotSignIn : null)}
      aria-describedby={describedBy}
      className={signsIn ? undefined : "-me-2"}
    >
      <Link
        href={paths.addIntegration}
        onClick={(event) => {
          if (signsIn === undefined) return;
          event.preventDefault();
          onSignIn(signsIn);
        }}
      >
        Подключить
      </Link>
    </Button>
  );
}
